"""What the terminal stores under CARDEA_HOME, as its own user can read it: `home.json`, and the tokens from the sealed file beside it."""

import base64
import json

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305


def kept(home):
    """As one document: `session` exists while a person is signed in, `passes` while there are passes."""
    found = json.loads((home / "home.json").read_text())
    for name in found.pop("secrets", []):
        value = json.loads(secret(home, name))
        if name.startswith("session "):
            found["session"] = value
        else:
            found.setdefault("passes", []).append(value)
    return found


def secret(home, name):
    name = f"{name} {home}"
    sealed = base64.b64decode(json.loads((home / "secrets.sealed").read_text())["secrets"][name])
    key = ChaCha20Poly1305((home / "secrets.key").read_bytes())
    return key.decrypt(sealed[:12], sealed[12:], f"secrets/{name}".encode())
