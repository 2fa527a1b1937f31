"""Every older database comes to the schema of today, and a new one too."""
import pytest
def test_x(store): assert store.bans() == []
