"""Where the house is, and whether its door can be opened."""

import errno
import ipaddress
import socket

import pytest

from cheeseboard.games.core import Refusal
from cheeseboard.server.address import lan_address, port_free


class Way:
    """A socket that would go out by a given address; it fails the test when somebody sends."""

    def __init__(self, out):
        self.out = out

    def __call__(self, family, kind):
        assert (family, kind) == (socket.AF_INET, socket.SOCK_DGRAM)  # to connect it sends nothing
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def connect(self, _):
        if self.out is None:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")

    def getsockname(self):
        return self.out, 40000


@pytest.mark.parametrize("out", ["192.168.178.23", "10.1.2.3", "172.20.0.5"])
def test_a_phone_in_the_same_network_can_use_it(monkeypatch, out):
    monkeypatch.setattr(socket, "socket", Way(out))
    assert lan_address() == out


@pytest.mark.parametrize("out", [None, "127.0.0.1", "0.0.0.0", "169.254.3.4", "8.8.8.8"])
def test_no_network_at_home(monkeypatch, out):
    monkeypatch.setattr(socket, "socket", Way(out))
    assert lan_address() is None


def test_for_real():
    found = lan_address()
    assert found is None or ipaddress.ip_address(found).is_private


@pytest.fixture
def neighbour():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        yield door.getsockname()[1]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])
def test_a_port_that_is_taken(neighbour, host):
    with pytest.raises(Refusal) as caught:
        port_free(host, neighbour)
    words = f"expected port {neighbour} to be free on {host}, but something listens there; choose another with --port"
    assert str(caught.value) == words


def test_a_port_that_is_free():
    port_free("127.0.0.1", 0)
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    port_free("127.0.0.1", port)
    port_free("127.0.0.1", port)  # looking does not take it


def test_a_house_just_closed_is_no_neighbour():
    """The connection that the old house closed lingers; the new one may open the door all the same."""
    with socket.create_server(("127.0.0.1", 0)) as house:
        port = house.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            house.accept()[0].close()
    port_free("127.0.0.1", port)


@pytest.mark.parametrize("port", [-1, 65536])
def test_no_such_port(port):
    with pytest.raises(Refusal, match=f"^expected a port from 0 to 65535, got {port}; choose another with --port$"):
        port_free("127.0.0.1", port)


@pytest.mark.parametrize("host", ["203.0.113.9", "no.such.host.invalid", "a" * 300, "x y"])
def test_no_such_host(host):
    with pytest.raises(
        Refusal, match=r"^expected (an address|a host) of this machine, got .*; choose another with --host$"
    ):
        port_free(host, 0)


def test_a_port_one_may_not_open(monkeypatch):
    def bind(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", bind)
    with pytest.raises(
        Refusal, match=r"^expected a port that you may open on 127.0.0.1, got 80: Permission denied; .*--port$"
    ):
        port_free("127.0.0.1", 80)
