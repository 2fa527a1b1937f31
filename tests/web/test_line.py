"""A table where nobody moves stays connected; a line that died without a word is noticed."""


def test_a_quiet_table_stays_connected_and_a_dead_line_is_noticed(guest):
    lena = guest()
    code = lena.lay("geier")
    sent: list[str] = []
    deaf = [False]

    def between(line):
        """Somebody between the page and the house, who can swallow what the house says."""
        house = line.connect_to_server()
        line.on_message(lambda text: (sent.append(text), house.send(text)))
        house.on_message(lambda text: None if deaf[0] else line.send(text))

    lines: list[object] = []
    lena.page.route_web_socket("**/play**", lambda line: (lines.append(line), between(line)))
    lena.page.clock.install()
    lena.go(code)
    for _ in range(4):
        lena.page.clock.run_for(26_000)
        lena.page.wait_for_timeout(200)
    assert len([text for text in sent if '"ping"' in text]) >= 3
    assert len(lines) == 1
    deaf[0] = True
    lena.page.clock.run_for(40_000)
    deaf[0] = False
    lena.page.clock.run_for(1_000)
    lena.page.wait_for_timeout(500)
    assert len(lines) == 2
