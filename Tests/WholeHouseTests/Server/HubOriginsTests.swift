import CardeaModel
import Testing

@testable import CardeaHTTP

@Suite("Origins of the hub")
struct HubOriginsTests {
    private func makeOrigins(
        _ url: String = "https://door.example", allowed: [String] = [], isSecure: Bool = true, port: Int? = 8300
    ) throws -> HubOrigins {
        let address = CurrentPublicURL(url)
        if let port { address.didListen(at: port) }
        let allowed = try allowed.map { try #require(AllowedHost($0)) }
        return HubOrigins(
            settings: HTTPSettings(hosts: ["hub.local"], allowed: allowed), address: address, isSecure: isSecure)
    }

    @Test("Equivalent spellings of an origin match, and another port does not")
    func pages() throws {
        let own = try makeOrigins()
        for (origin, host) in [
            ("https://door.example", "door.example"), ("https://door.example:443", "door.example:443"),
            ("https://DOOR.example", "Door.Example"),
            ("https://door.example", "door.example:443"), ("https://door.example", "anything at all"),
            ("https://hub.local:8300", "hub.local:8300"),
            ("https://hub.local", "hub.local"), ("http://hub.local", "hub.local:80"), ("https://[::1]:9000", "[::1]:9000"),
            ("https://localhost:9000", "localhost:9000"),
        ] { #expect(own.isSameOrigin(origin, asking: host), "\(origin) \(host)") }
        for (origin, host) in [
            ("http://door.example", "door.example"), ("https://door.example:8443", "door.example"),
            ("https://hub.local:8301", "hub.local:8300"),
            ("http://hub.local", "hub.local"), ("https://hub.local", "hub.local:8300"), ("http://hub.local:443", "hub.local"),
            ("https://evil.example", "door.example"), ("null", "door.example"), ("", "door.example"), ("https://", "door.example"),
            ("file:///", "door.example"), ("https://hub.local.evil.example", "hub.local"), ("https://hub.local:x", "hub.local"),
            ("https://user@hub.local", "hub.local"), ("https://hub.local:99999", "hub.local:99999"),
        ] { #expect(!own.isSameOrigin(origin, asking: host), "\(origin) \(host)") }
        // Without TLS and without a public https URL, a name without a port means plain HTTP.
        let plain = try self.makeOrigins("http://127.0.0.1:8300", isSecure: false)
        #expect(
            plain.isSameOrigin("http://127.0.0.1:8300", asking: "127.0.0.1:8300")
                && plain.isSameOrigin("http://hub.local", asking: "hub.local"))
        #expect(!plain.isSameOrigin("https://hub.local", asking: "hub.local"))
    }

    /// An origin that a browser may send, and its parts; nil for an invalid one.
    private static let origins: [(text: String, place: (scheme: String, host: String, port: Int)?)] = [
        ("https://door.example", ("https", "door.example", 443)), ("https://DOOR.example:443", ("https", "door.example", 443)),
        ("http://door.example", ("http", "door.example", 80)), ("https://door.example:8443", ("https", "door.example", 8443)),
        ("https://hub.local", ("https", "hub.local", 443)), ("https://Hub.Local:8300", ("https", "hub.local", 8300)),
        ("https://hub.local:8301", ("https", "hub.local", 8301)), ("http://hub.local", ("http", "hub.local", 80)),
        ("http://hub.local:8300", ("http", "hub.local", 8300)), ("https://192.168.1.5:8300", ("https", "192.168.1.5", 8300)),
        ("https://[fd00::1]:8300", ("https", "fd00::1", 8300)), ("https://[FD00::1]", ("https", "fd00::1", 443)),
        ("https://localhost:8300", ("https", "localhost", 8300)), ("https://door.example.test", ("https", "door.example.test", 443)),
        ("null", nil), ("", nil), ("https://", nil), ("file:///", nil), ("https://hub.local:x", nil), ("https://hub.local:70000", nil),
    ]

    /// A `Host` that may be sent, and its host and port; nil for an invalid one.
    private static let hosts: [(text: String, place: (host: String, port: Int?)?)] = [
        ("door.example", ("door.example", nil)), ("DOOR.EXAMPLE:443", ("door.example", 443)), ("door.example:", ("door.example", nil)),
        ("door.example:8443", ("door.example", 8443)), ("hub.local", ("hub.local", nil)), ("HUB.local:8300", ("hub.local", 8300)),
        ("hub.local:8301", ("hub.local", 8301)), ("hub.local:443", ("hub.local", 443)), ("hub.local:80", ("hub.local", 80)),
        ("192.168.1.5", ("192.168.1.5", nil)), ("192.168.1.5:8300", ("192.168.1.5", 8300)), ("[fd00::1]", ("fd00::1", nil)),
        ("[FD00::1]:8300", ("fd00::1", 8300)), ("localhost:8300", ("localhost", 8300)), ("evil.test", ("evil.test", nil)),
        ("", nil), ("hub.local:x", nil), ("hub.local:70000", nil), ("[fd00::1", nil), ("[fd00::1]8300", nil),
    ]

    @Test("Of 400 origin and host pairs only matching ones and those of the public address are same-origin")
    func pairs() throws {
        let own = try makeOrigins()
        for (origin, page) in Self.origins {
            for (host, asked) in Self.hosts {
                let isPublic = page.map { $0 == ("https", "door.example", 443) } ?? false
                let isOne =
                    if let page, let asked {
                        page.host == asked.host && (asked.port.map { $0 == page.port } ?? (page.scheme == "https" && page.port == 443))
                    } else { false }
                #expect(own.isSameOrigin(origin, asking: host) == (isPublic || isOne), "\(origin) \(host)")
            }
        }
    }

    @Test("Each origin has its own session cookie, independent of spelling")
    func cookies() throws {
        func name(_ page: String) throws -> String { SessionTokenEncoding.Cookie(of: try #require(WebOrigin(page))).name }
        #expect(try name("https://hub.local") == name("https://HUB.local:443/"))
        let pages = ["https://hub.local", "http://hub.local", "https://hub.local:8300", "https://hub.local:8301", "https://door.local"]
        #expect(try Set(pages.map(name)).count == pages.count)
    }

    @Test("Passkeys are valid for the public address, allowed names with port, and the hub's own names")
    func passkeys() throws {
        let own = try makeOrigins(allowed: ["home.example", "home.example:8443", "[fd00::1]:443"])
        #expect(own.origins(of: "door.example") == ["https://door.example"])
        #expect(own.origins(of: "home.example") == ["https://home.example", "https://home.example:8443", "https://home.example:8300"])
        #expect(own.origins(of: "hub.local") == ["https://hub.local:8300"])
        #expect(own.origins(of: "localhost") == ["https://localhost:8300", "http://localhost:8300"])
        #expect(own.origins(of: "elsewhere.example").isEmpty)
        #expect(try self.makeOrigins("http://localhost:8300", isSecure: false).origins(of: "localhost").contains("http://localhost:8300"))
        #expect(
            try self.makeOrigins("http://hub.local:8300", isSecure: false, port: nil).origins(of: "hub.local").isEmpty,
            "no page there is safe")
    }

    @Test(
        "An allowed host is parsed with its port, and an invalid one is rejected",
        arguments: ["", "a b", "https://x", "x:y", "x:70000", "x/y", "*.example.org", "t%C3%BCr.example", "[fe80::1%eth0]"])
    func allowed(text: String) throws {
        #expect(AllowedHost(text) == nil)
        let host = try #require(AllowedHost("Door.Example:8443"))
        #expect(host.name == "door.example" && host.port == 8443 && AllowedHost("[::1]")?.name == "::1")
    }

    /// A name as people write it, and its ASCII form as browsers send it (RFC 3492, UTS 46 without its transitional rules).
    private static let names = [
        ("tür.example.org", "xn--tr-xka.example.org"), ("Tür.Example.org", "xn--tr-xka.example.org"),
        ("TÜR.EXAMPLE.ORG", "xn--tr-xka.example.org"), ("tu\u{308}r.example.org", "xn--tr-xka.example.org"),
        ("xn--tr-xka.example.org", "xn--tr-xka.example.org"), ("XN--TR-XKA.example.org", "xn--tr-xka.example.org"),
        ("bücher.example", "xn--bcher-kva.example"), ("straße.example", "xn--strae-oqa.example"),
        ("日本語.example", "xn--wgv71a119e.example"), ("Door.Example.org", "door.example.org"), ("ｄoor.example.org", "door.example.org"),
        ("my_hub.local", "my_hub.local"),
    ]

    @Test("The hub accepts the ASCII form of its names as Host, Origin and for passkeys", arguments: names)
    func inASCII(written: String, ascii: String) throws {
        #expect(AllowedHost("\(written):8443")?.name == ascii)
        let url = try PublicURL("https://\(written)/").text
        #expect(url == "https://\(ascii)")
        let own = try makeOrigins(url)
        #expect(own.publicHost == ascii && own.answers(to: ascii) && own.isSameOrigin("https://\(ascii)", asking: ascii))
        #expect(own.origins(of: ascii).contains("https://\(ascii)"))
    }

    @Test(
        "A public address has scheme, name and port",
        arguments: [
            ("https://door.example.org", "https://door.example.org"), ("https://door.example.org/", "https://door.example.org"),
            ("HTTPS://door.example.org:443", "https://door.example.org"),
            ("https://door.example.org:8443/", "https://door.example.org:8443"),
            ("http://hub.local:80", "http://hub.local"), ("http://127.0.0.1:8300", "http://127.0.0.1:8300"),
            ("https://[FD00::1]:8300/", "https://[fd00::1]:8300"),
        ])
    func publicURL(written: String, text: String) throws {
        #expect(try PublicURL(written).text == text)
    }

    @Test(
        "A public address with path, query or user, or malformed, is rejected with its reason",
        arguments: [
            ("https://example.org/door", PublicURLError.hasPath(name: "example.org")),
            ("https://example.org/door/", .hasPath(name: "example.org")), ("https://example.org//", .hasPath(name: "example.org")),
            ("https://tür.example/door", .hasPath(name: "xn--tr-xka.example")), ("https://example.org/?a=b", .extraComponents),
            ("https://example.org?", .extraComponents), ("https://example.org/#door", .extraComponents),
            ("https://ada@example.org", .extraComponents),
            ("https://ada:secret@example.org/", .extraComponents), ("", .notHTTPURL), ("example.org", .notHTTPURL),
            ("example.org:8300", .notHTTPURL),
            ("ftp://example.org", .notHTTPURL), ("https://", .notHTTPURL), ("https:///door", .notHTTPURL),
            ("https://*.example.org", .notHTTPURL),
            ("https://a b.example", .notHTTPURL), ("https://example.org:70000", .notHTTPURL),
        ])
    func noPublicURL(written: String, error: PublicURLError) {
        #expect(throws: error) { try PublicURL(written) }
    }
}
