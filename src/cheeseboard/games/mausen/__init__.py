"""Mausen by Detlef Wendt."""
