"""Requests that no regular client sends, each with its correct answers.

A case is a name, the bytes, the allowed statuses, and whether the hub must close the connection after its answer. Many of them end with
`SMUGGLED`: the hub must never see it as a request of its own.
"""

HOST = b"Host: {host}\r\n"
SMUGGLED = b"GET /readyz HTTP/1.1\r\n" + HOST + b"\r\n"
BAD, REFUSED, LARGE, NOWHERE = {400}, {403}, {431}, {400, 404}


def get(*lines, path=b"/healthz", host=HOST):
    return b"GET " + path + b" HTTP/1.1\r\n" + host + b"".join(line + b"\r\n" for line in lines) + b"\r\n"


def post(*lines, body=b"", path=b"/api/v1/auth/logout"):
    return b"POST " + path + b" HTTP/1.1\r\n" + HOST + b"".join(line + b"\r\n" for line in lines) + b"\r\n" + body


def chunked(body):
    return post(b"Transfer-Encoding: chunked", body=body)


def lengths():
    yield "CL and TE", post(b"Content-Length: 4", b"Transfer-Encoding: chunked", body=b"0\r\n\r\n")
    yield "TE and CL", post(b"Transfer-Encoding: chunked", b"Content-Length: 4", body=b"0\r\n\r\n")
    yield "TE and CL of nothing", post(b"Transfer-Encoding: chunked", b"Content-Length: 0", body=b"0\r\n\r\n")
    yield "two CL, alike", post(b"Content-Length: 2", b"Content-Length: 2", body=b"{}")
    yield "two CL, different", post(b"Content-Length: 2", b"Content-Length: 9", body=b"{}")
    yield "two CL, other case", post(b"Content-Length: 2", b"content-length: 40", body=b"{}")
    for value in ["+5", "-5", "0x5", "5,5", "5, 5", "5 5", "5;", "5.0", "1e1", "", "five", "\x0b5", "５", "9" * 30, "18446744073709551616"]:
        yield f"CL {value!r}", post(b"Content-Length: " + value.encode(), body=b"{   }")


def encodings():
    for value in [
        "xchunked", "chunked, identity", "identity", "gzip", "chunked, chunked", "chunked;q=1", '"chunked"', "chun ked",
        "\x0bchunked", "chunked\x00", "cow", "",
    ]:
        yield f"TE {value!r}", post(b"Transfer-Encoding: " + value.encode("latin-1"), body=b"0\r\n\r\n")
    yield "TE twice", post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked", body=b"0\r\n\r\n")
    yield "TE chunked, then another", post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity", body=b"0\r\n\r\n")
    yield "TE with a space before its colon", post(b"Transfer-Encoding : chunked", body=b"0\r\n\r\n")
    yield "TE folded", post(b"Transfer-Encoding:\r\n chunked", body=b"0\r\n\r\n")


def chunks():
    for size in ["FFFFFFFFFFFFFFFFF", "10000000000000000", "-1", "+2", "0x2", " 2", "2 ", "g", "", "2\x00", "2,2", "2_0"]:
        yield f"chunk of {size!r}", chunked(size.encode() + b"\r\n{}\r\n0\r\n\r\n")
    yield "chunk line ended by LF", chunked(b"2\n{}\r\n0\r\n\r\n")
    yield "chunk extension with LF", chunked(b"2;a\nb\r\n{}\r\n0\r\n\r\n")
    yield "chunk longer than it says", chunked(b"2\r\n{}xx\r\n0\r\n\r\n")
    yield "chunk without its CRLF", chunked(b"2\r\n{}0\r\n\r\n")
    yield "trailer without colon", chunked(b"2\r\n{}\r\n0\r\nabc\r\n\r\n")
    yield "trailer with NUL", chunked(b"2\r\n{}\r\n0\r\nX: a\x00\r\n\r\n")
    yield "trailer of 20 KiB", chunked(b"2\r\n{}\r\n0\r\nX: " + b"a" * 20_000 + b"\r\n\r\n")


def lines():
    yield "bare LF as line end", b"GET /healthz HTTP/1.1\nHost: {host}\n\n"
    yield "bare LF in a field", get(b"X: a\nY: b")
    yield "bare CR in a field", get(b"X: a\rb")
    yield "CR CR LF", b"GET /healthz HTTP/1.1\r\r\n" + HOST + b"\r\n"
    yield "NUL in a field", get(b"X: a\0b")
    yield "NUL in a name", get(b"X\0: a")
    yield "NUL in the path", get(path=b"/heal\0thz")
    yield "folded field", get(b"X: a\r\n b")
    yield "field folded with a tab", get(b"X: a\r\n\tb")
    yield "space before the colon", get(b"X : a")
    yield "tab before the colon", get(b"X\t: a")
    yield "space in a name", get(b"X Y: a")
    yield "no colon", get(b"Xabc")
    yield "no name", get(b": abc")
    yield "line before the host that begins with a space", b"GET /healthz HTTP/1.1\r\n X: y\r\n" + HOST + b"\r\n"
    yield "DEL in a field", get(b"X: \x7f")
    yield "control character in a field", get(b"X: \x01")
    yield "brackets in a name", get(b"X[]: a")
    yield "UTF-8 in a name", get("Zä: a".encode())
    for word in ["get", "GE\x01T", "", "G@T", "BREW", "GETGETGET" * 9]:
        yield f"method {word!r}", word.encode() + b" /healthz HTTP/1.1\r\n" + HOST + b"\r\n"
    for version in ["HTTP/0.9", "HTTP/1.2", "HTTP/2.0", "HTTP/9.9", "HTTX/1.1", "http/1.1", "HTTP/1.1.1", "HTTP/01.1", "HTTP/"]:
        yield f"version {version}", f"GET /healthz {version}\r\n".encode() + HOST + b"\r\n"
    yield "no version", b"GET /healthz\r\n\r\n"
    yield "tabs between the words", b"GET\t/healthz\tHTTP/1.1\r\n" + HOST + b"\r\n"
    yield "space in the path", get(path=b"/heal thz")
    yield "a TLS hello", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 50
    yield "every byte there is", bytes(range(256))
    yield "the HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"
    yield "an SSH greeting", b"SSH-2.0-OpenSSH_9.2p1\r\n"
    yield "overlong UTF-8, raw", get(path=b"/assets/\xc0\xae\xc0\xae/x")
    yield "path without a slash", get(path=b"healthz")


def sizes():
    fields = [b"X-%d: a" % number for number in range(101)]
    yield "101 fields", get(*fields), LARGE
    yield "17 KiB of fields", get(*(b"X-%d: " % number + b"a" * 1000 for number in range(17))), LARGE
    yield "one field of 9 KiB", get(b"X: " + b"a" * 9216), LARGE
    yield "one name of 9 KiB", get(b"a" * 9216 + b": x"), LARGE
    yield "a hundred thousand fields", get(*(b"a: b" for _ in range(100_000))), LARGE
    yield "a hundred thousand empty fields", get(*(b"a:" for _ in range(100_000))), LARGE
    yield "a path of 9 KiB", get(path=b"/" + b"a" * 9216), {414, 431}
    yield "a path of 20 KiB", get(path=b"/" + b"a" * 20_000), {414, 431}


def targets():
    for path in [
        b"*", b"//evil.example/healthz", b"/assets/../healthz", b"/assets/%2e%2e/%2e%2e/etc/passwd", b"/assets/%2E%2E%2fhealthz",
        b"/assets/%252e%252e/x", b"/assets/%c0%ae%c0%ae/x", b"/assets/%e0%80%ae/x", b"/healthz%00", b"/assets/%zz", b"/assets/%",
        b"/assets\\..\\x", b"/g#abc", b"/.env", b"/../../etc/passwd", b"/house.sqlite", b"/hub.key", b"/api/v1/%2e%2e/healthz",
        b"/assets/", b"/api/v1/devices/..%2f..%2fhealthz%00x/extra",
    ]:
        yield f"target {path.decode()}", get(path=path), NOWHERE
    # Only the path of an absolute form counts; the Host field names the host.
    yield "absolute form with another host", get(path=b"http://evil.example/nothing"), NOWHERE
    yield "absolute form under a foreign Host", get(path=b"http://127.0.0.1/healthz", host=b"Host: evil.example\r\n"), {400, 403}
    yield "CONNECT elsewhere", b"CONNECT evil.example:443 HTTP/1.1\r\n" + HOST + b"\r\n", {400, 404, 405, 501}
    yield "CONNECT to us", b"CONNECT {host} HTTP/1.1\r\n" + HOST + b"\r\n", {400, 404, 405, 501}
    yield "TRACE", b"TRACE /healthz HTTP/1.1\r\n" + HOST + b"Cookie: secret=1\r\n\r\n", {405}
    yield "OPTIONS *", b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", NOWHERE
    yield "PROPFIND", b"PROPFIND /healthz HTTP/1.1\r\n" + HOST + b"\r\n", {404, 405, 501}


def packings():
    """Correct framing with an encoding that the hub does not decode."""
    yield "TE gzip, chunked", post(b"Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n"), {400, 501}
    yield "TE identity, then chunked", post(b"Transfer-Encoding: identity", b"Transfer-Encoding: chunked", body=b"0\r\n\r\n"), {400, 501}


def expectations():
    """`Expect` headers. Bytes after a refusal are not read as a request."""
    for value in [b"100-continue", b"200-ok", b"100-continue, 100-continue", b""]:
        raw = post(b"Expect: " + value, b"Content-Length: 40", b"Connection: close", body=SMUGGLED[:20] + b" " * 20, path=b"/nothing-here")
        yield f"Expect {value.decode()!r}", raw, {400, 404, 417}


def names():
    yield "no Host", get(host=b""), BAD
    yield "an empty Host", get(host=b"Host: \r\n"), BAD
    yield "HTTP/1.0 without Host", b"GET /healthz HTTP/1.0\r\n\r\n", BAD
    yield "two Hosts, one foreign", get(host=HOST + b"Host: evil.example\r\n"), BAD
    yield "two Hosts, foreign first", get(host=b"Host: evil.example\r\n" + HOST), {400, 403}
    yield "two Hosts, alike", get(host=HOST + HOST), BAD
    for name in [
        b"evil.example", b"127.0.0.1@evil.example", b"127.0.0.1.evil.example", b"127.0.0.1, evil.example", b"127.0.0.1:abc",
        b"127.0.0.1:80@evil.example", b"[::1]evil.example", b"[::1", b"localhost.evil.example", b"evil.example:80", b"2130706433", b"0.0.0.0",
        b"127.0.0.1%00", b"localhost.", b"a" * 300,
    ]:
        yield f"Host {name[:40].decode()}", get(host=b"Host: " + name + b"\r\n"), {400, 403}
    for origin in [b"http://evil.example", b"null", b"http://127.0.0.1.evil.example", b"http://127.0.0.1:1", b"https://evil.example", b"", b"*"]:
        yield f"Origin {origin.decode()!r}", get(b"Origin: " + origin), REFUSED
    yield "two Origins", get(b"Origin: http://{host}", b"Origin: http://evil.example"), REFUSED


def broken():
    """Requests that are not HTTP or are ambiguous: refused, and the connection ends."""
    for family in (lengths, encodings, chunks, lines):
        for name, raw in family():
            yield name, raw + SMUGGLED, BAD, True
    for name, raw, statuses in sizes():
        yield name, raw + SMUGGLED, statuses, True


def misplaced():
    """Valid HTTP for a target that does not exist or is not theirs."""
    for family in (targets, packings, expectations, names):
        for name, raw, statuses in family():
            yield name, raw, statuses, False


CASES = list(broken()) + list(misplaced())
