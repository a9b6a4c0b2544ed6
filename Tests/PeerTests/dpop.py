"""The key that a browser's session is bound to, and the proofs it signs (RFC 9449)."""

import base64
import json
import time
import uuid

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils


def coded(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class BrowserKey:
    def __init__(self):
        self._key = ec.generate_private_key(ec.SECP256R1())

    def proof(self, url, nonce=None):
        """The header that proves that the holder of this key sends a POST to `url`."""
        numbers = self._key.public_key().public_numbers()
        jwk = {"kty": "EC", "crv": "P-256", "x": coded(numbers.x.to_bytes(32)), "y": coded(numbers.y.to_bytes(32))}
        claims = {"jti": str(uuid.uuid4()), "htm": "POST", "htu": url, "iat": int(time.time())} | ({"nonce": nonce} if nonce else {})
        said = ".".join(coded(json.dumps(part).encode()) for part in ({"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk}, claims))
        r, s = utils.decode_dss_signature(self._key.sign(said.encode(), ec.ECDSA(hashes.SHA256())))
        return {"DPoP": f"{said}.{coded(r.to_bytes(32) + s.to_bytes(32))}"}
