"""A table where nobody moves stays connected; a line that died without a word is noticed."""

from collections.abc import Callable

from playwright.sync_api import WebSocketRoute


def test_a_quiet_table_stays_connected_and_a_dead_line_is_noticed(guest):
    lena = guest()
    code = lena.lay("geier")
    lines: list[WebSocketRoute] = []
    pongs: list[str | bytes] = []
    deaf = [False]

    def between(line: WebSocketRoute) -> None:
        """Somebody between the page and the house, who can swallow what the house says."""
        house = line.connect_to_server()
        lines.append(line)

        def down(text: str | bytes) -> None:
            if not deaf[0]:
                line.send(text)
                pongs.extend([text] if '"pong"' in str(text) else [])

        line.on_message(house.send)
        house.on_message(down)

    lena.page.route_web_socket("**/play**", between)
    lena.page.clock.install()
    lena.go(code)

    def until(fits: Callable[[], bool]) -> None:
        for _ in range(600):
            if fits():
                return
            lena.page.wait_for_timeout(50)
        raise AssertionError(f"expected it within half a minute, got {len(lines)} lines and {len(pongs)} answers")

    for count in range(1, 4):
        lena.page.clock.run_for(26_000)
        until(lambda count=count: len(pongs) >= count)  # type: ignore[misc]
    assert len(lines) == 1
    deaf[0] = True
    lena.page.clock.run_for(40_000)
    deaf[0] = False
    lena.page.clock.run_for(1_000)
    until(lambda: len(lines) == 2)
