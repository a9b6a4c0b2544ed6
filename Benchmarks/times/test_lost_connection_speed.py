"""The time until every reader shows a door as unknown after its broker is gone."""

import signal
import time

import conftest
import house
from lossy_line import LossyLine
from test_lost_connections import Broker, Gadgets, device, furnished, standing

TRIALS = 5
BOUND = 2


def test_a_door_is_unknown_two_seconds_after_its_broker_is_gone(hub_binary, tmp_path):
    broker = Broker(tmp_path)
    line = LossyLine(broker.port)
    gadgets = Gadgets(broker.port)
    took = {"stopped": [], "cut off": []}
    try:
        with conftest.hubs(hub_binary) as start, furnished(start, tmp_path / "house") as owner:
            assert owner.put("/api/v1/integrations/mqtt", {"host": "127.0.0.1", "port": line.port}).ok
            for number in range(2 * TRIALS):
                house.until(lambda: standing(owner, "mqtt") == "connected", "the broker is there")

                def locked():
                    gadgets.say("LOCKED")
                    one = device(owner, "back-door")
                    return one and one["state"].get("locked")

                house.until(locked, "the back door is locked")
                what = ("stopped", "cut off")[number % 2]
                begun = time.monotonic()
                if number % 2:
                    line.cut()
                else:
                    broker.end(signal.SIGKILL)
                house.until(lambda: device(owner, "back-door")["current_state"]["locked"] is None, "the back door is not known")
                took[what].append(time.monotonic() - begun)
                if broker.process.poll() is not None:
                    broker.start()
                line.mend()
    finally:
        gadgets.stop()
        line.close()
        broker.stop()
    for what, times in took.items():
        print(f"{what}: not known after at most {max(times) * 1000:.0f} ms")
        assert max(times) <= BOUND
