"""The house: everything with a network, a file or a clock."""
