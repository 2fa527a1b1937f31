"""Aus die Maus! by Haim Shafir."""
