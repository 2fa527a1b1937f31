"""Cheeseboard: a card room for five small-box card games in which mice matter."""
