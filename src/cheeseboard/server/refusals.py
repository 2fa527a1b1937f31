"""How the house says no: a code for programs, a sentence for people, a status for HTTP."""

from cheeseboard.games.core import Illegal, Refusal


class No(Refusal):
    """`code` never changes its meaning; the text says what was expected, what came, and where."""

    def __init__(self, code: str, text: str, status: int = 409) -> None:
        super().__init__(text)
        self.code, self.status = code, status


def no(refusal: Refusal) -> No:
    """Any refusal with a code: what the rules and the options' checks refuse has none of its own."""
    if isinstance(refusal, No):
        return refusal
    if isinstance(refusal, Illegal):
        return No("illegal", str(refusal))
    return No("bad-request", str(refusal), 400)
