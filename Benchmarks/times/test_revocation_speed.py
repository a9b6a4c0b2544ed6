"""A subscriber who loses their permission is disconnected within a second, also one that reads nothing."""

from test_realtime_revocation import every_ending, seconds_until_hung_up_on
from test_slow_clients import ends_a_session_that_reads_nothing
from test_tls import tls_hub, trusting  # noqa: F401

import house
from conftest import PASSWORD, Owner

TRIALS = 3


@every_ending
def test_a_subscriber_is_disconnected_within_a_second(module_hub, module_owner, ending):
    took = [seconds for _ in range(TRIALS) for seconds in seconds_until_hung_up_on(module_hub, module_owner, ending)]
    print(f"{ending.__name__.replace('_', ' ')}, {TRIALS} times: hung up on after at most {max(took) * 1000:.0f} ms")
    assert max(took) <= 1


def test_a_stalled_subscriber_is_disconnected_within_a_second(module_hub, module_owner):
    _, took = ends_a_session_that_reads_nothing(module_hub, module_owner, "127.0.100.5")
    print(f"hung up on after {took * 1000:.0f} ms")
    assert took <= 1


def test_a_stalled_subscriber_over_tls_is_disconnected_within_a_second(tls_hub, monkeypatch):  # noqa: F811
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(tls_hub.data / "tls.crt"))
    owner = Owner(tls_hub, house.claim(tls_hub, PASSWORD))
    _, took = ends_a_session_that_reads_nothing(
        tls_hub, owner, "127.0.100.6", lambda line: trusting(tls_hub).wrap_socket(line, server_hostname="localhost"))
    print(f"hung up on after {took * 1000:.0f} ms")
    assert took <= 1
