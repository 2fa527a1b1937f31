"""Where the house can be reached, and whether there is room at the door."""

import errno
import ipaddress
import socket

from cheeseboard.games.core import Refusal


def lan_address() -> str | None:
    """The address a phone in the same network would use; None if there is no such network.

    Asking the system which way it would send a datagram sends nothing. The address asked for is one of those reserved
    for documentation: nobody lives there, only the way out of this machine matters."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
            address = str(way.getsockname()[0])
        except OSError:  # no network at all
            return None
    ip = ipaddress.ip_address(address)
    at_home = ip.is_private and not (ip.is_loopback or ip.is_link_local or ip.is_unspecified)
    return address if at_home else None


def port_free(host: str, port: int) -> None:
    """Refuse, in words that help, when the house could not open its door here."""
    if not 0 <= port <= 65535:
        raise Refusal(f"expected a port from 0 to 65535, got {port}; choose another with --port")
    try:
        ways = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise Refusal(f"expected a host of this machine, got {host!r} ({error}); choose another with --host") from None
    for family, kind, protocol, _, address in ways:
        with socket.socket(family, kind, protocol) as door:
            # as the server itself will do it: what is left of a house just closed is no neighbour
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                door.bind(address)
            except OSError as error:
                raise Refusal(_why_not(host, port, error)) from None


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"expected port {port} to be free on {host}, but something listens there; choose another with --port"
    if error.errno == errno.EACCES:
        return f"expected a port that you may open on {host}, got {port}: {error.strerror}; choose another with --port"
    return f"expected an address of this machine, got {host!r}: {error.strerror}; choose another with --host"


def neighbourhood(address: str | None) -> str:
    """An address as far as a log may know it: enough to see where trouble comes from, too little to know a household.

    >>> neighbourhood("203.0.113.9"), neighbourhood("2001:db8:1:2::/64"), neighbourhood(None)
    ('203.0.113.0/24', '2001:db8:1::/48', 'this machine')
    """
    if address is None:
        return "this machine"
    try:
        ip = ipaddress.ip_address(address.partition("/")[0])
    except ValueError:  # a proxy may tell us anything
        return "unknown"
    return str(ipaddress.ip_network((ip, 24 if ip.version == 4 else 48), strict=False))
