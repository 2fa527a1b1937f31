"""Hol's der Geier by Alex Randolph."""
