"""Memento by Paolo Mori."""
