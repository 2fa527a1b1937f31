"""Training: what it takes to build the nets that the bots ship with."""
