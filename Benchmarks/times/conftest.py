"""Speed limits measured on a real hub: `pytest Benchmarks/times`, with nothing else running beside it.

The houses are those of the peer tests: their folder is on the path, and their fixtures are imported from there.
"""

import importlib.util
import pathlib
import sys

PEERS = pathlib.Path(__file__).resolve().parents[2] / "Tests/PeerTests"
sys.path.insert(0, str(PEERS))
# The load and the doors of `make bench-peers`.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

# Both files are called conftest. The tests here import `Owner` and others from the peer tests' one.
_specification = importlib.util.spec_from_file_location("peers_conftest", PEERS / "conftest.py")
_peers = importlib.util.module_from_spec(_specification)
sys.modules["peers_conftest"] = _peers
_specification.loader.exec_module(_peers)
globals().update({name: value for name, value in vars(_peers).items() if not name.startswith("__")})
