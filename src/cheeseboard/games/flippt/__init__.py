"""Mausgeflippt by Ghislaine van den Bulk."""
