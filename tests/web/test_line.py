"""A table where nobody moves stays connected; a line that died without a word is noticed."""

from playwright.sync_api import WebSocketRoute


def test_a_quiet_table_stays_connected_and_a_dead_line_is_noticed(guest):
    lena = guest()
    code = lena.lay("geier")
    lines: list[WebSocketRoute] = []
    sent: list[str | bytes] = []
    deaf = [False]

    def between(line: WebSocketRoute) -> None:
        """Somebody between the page and the house, who can swallow what the house says."""
        house = line.connect_to_server()
        lines.append(line)

        def up(text: str | bytes) -> None:
            sent.append(text)
            house.send(text)

        def down(text: str | bytes) -> None:
            if not deaf[0]:
                line.send(text)

        line.on_message(up)
        house.on_message(down)

    lena.page.route_web_socket("**/play**", between)
    lena.page.clock.install()
    lena.go(code)
    for _ in range(4):
        lena.page.clock.run_for(26_000)
        lena.page.wait_for_timeout(200)
    assert len([text for text in sent if '"ping"' in str(text)]) >= 3
    assert len(lines) == 1
    deaf[0] = True
    lena.page.clock.run_for(40_000)
    deaf[0] = False
    lena.page.clock.run_for(1_000)
    lena.page.wait_for_timeout(500)
    assert len(lines) == 2
