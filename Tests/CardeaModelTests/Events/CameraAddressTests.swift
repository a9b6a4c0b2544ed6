import Testing

@testable import CardeaModel

@Suite("Camera addresses")
struct CameraAddressTests {
    /// A typed address, and its parts: address, user name and password.
    static let taken: [(String, [String?])] = [
        ("rtsp://192.0.2.20/live", ["rtsp://192.0.2.20:554/live", nil, nil]),
        ("rtsp://viewer:secret@192.0.2.20:8554/live?ch=1", ["rtsp://192.0.2.20:8554/live?ch=1", "viewer", "secret"]),
        ("rtsp://viewer@camera.lan/live", ["rtsp://camera.lan:554/live", "viewer", nil]),
        ("rtsp://viewer:@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", ""]),
        ("rtsp://:secret@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "", "secret"]),
        ("rtsp://@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", nil, nil]),
        ("rtsp://viewer:s%23c%40r%2Fe%3At@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "s#c@r/e:t"]),
        // A password as typed, not percent-encoded.
        ("rtsp://viewer:p#ss@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "p#ss"]),
        ("rtsp://viewer:p@ss@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "p@ss"]),
        ("rtsp://viewer:p/ss@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "p/ss"]),
        ("rtsp://viewer:p?ss@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "p?ss"]),
        ("rtsp://viewer:p:ss@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "p:ss"]),
        ("rtsp://viewer:#/?@:@192.0.2.20:8554/live", ["rtsp://192.0.2.20:8554/live", "viewer", "#/?@:"]),
        ("rtsp://viewer:a/b@c/d@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "a/b@c/d"]),
        ("rtsp://viewer:12#34@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "12#34"]),
        ("rtsp://viewer:50%@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "50%"]),
        ("rtsp://viewer:let me see@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "let me see"]),
        ("rtsp://viewer:p\\ß@192.0.2.20/live", ["rtsp://192.0.2.20:554/live", "viewer", "p\\ß"]),
        ("rtsp://viewer:p#ss@[2001:db8::20]:8554/live", ["rtsp://[2001:db8::20]:8554/live", "viewer", "p#ss"]),
        ("rtsp://viewer:p#ss@camera/live", ["rtsp://camera:554/live", "viewer", "p#ss"]),
        // An `@` in the path.
        ("rtsp://192.0.2.20:554/user@192.0.2.21/live", ["rtsp://192.0.2.20:554/user@192.0.2.21/live", nil, nil]),
        ("rtsp://viewer:secret@192.0.2.20/cam@1.sdp", ["rtsp://192.0.2.20:554/cam@1.sdp", "viewer", "secret"]),
        ("rtsp://[2001:db8::20]:554/cam@1", ["rtsp://[2001:db8::20]:554/cam@1", nil, nil]),
        ("rtsp://camera/live?user=a@example.org", ["rtsp://camera:554/live?user=a@example.org", nil, nil]),
        ("rtsp://camera.lan:8554/cam@1", ["rtsp://camera.lan:8554/cam@1", nil, nil]),
    ]

    @Test("Credentials end at the last @ that precedes a host", arguments: taken)
    func reads(text: String, read: [String?]) throws {
        let address = try CameraAddress(text, schemes: ["rtsp"])

        #expect([address.url, address.user, address.password] == read)
        #expect(try CameraAddress(bare: address.url, schemes: ["rtsp"]).url == address.url, "as it is stored")
    }

    @Test(
        "An ambiguous or invalid address is refused with a helpful message",
        arguments: [
            ("rtsp://viewer:12/34@192.0.2.20/live", CameraAddress.AddressError.ambiguous),
            ("rtsp://viewer:12?34@192.0.2.20/live", .ambiguous),
            ("rtsp://viewer:12/34@camera/live", .ambiguous), ("rtsp://viewer:p@ss/w@192.0.2.20/live", .ambiguous),
            ("rtsp://j.doe:12/34@camera.lan/live", .ambiguous), ("rtsp://viewer:a/b@camera/d@other/live", .ambiguous),
            ("rtsp://user#1@192.0.2.20/live", .ambiguous), ("rtsp://192.0.2.20/live#a@camera.lan", .notAnAddress),
            ("rtsp://192.0.2.20/live#top", .notAnAddress), ("rtsp://viewer:p#ss/live", .notAnAddress), ("rtsp://", .notAnAddress),
            ("rtsp://viewer:secret@/live", .notAnAddress), ("rtsp://viewer:secret@192.0.2.20:0/live", .notAnAddress),
            ("rtsp://192.0.2.20/a b", .notAnAddress), ("rtsp://192.0.2.20/\\", .notAnAddress), ("192.0.2.20", .notAnAddress),
            ("file:///etc/passwd", .scheme), ("http://viewer:secret@192.0.2.20/", .scheme),
        ])
    func refuses(text: String, problem: CameraAddress.AddressError) {
        #expect(throws: problem) { try CameraAddress(text, schemes: ["rtsp"]) }
        #expect(problem == .scheme || problem.message.contains("%23"))
    }

    @Test("A stored address keeps an @ in its path")
    func stored() throws {
        #expect(try CameraAddress(bare: "rtsp://nvr:554/user:1@10.0.0.9/", schemes: ["rtsp"]).target == "/user:1@10.0.0.9/")
        #expect(throws: CameraAddress.AddressError.notAnAddress) { try CameraAddress(bare: "rtsp://a:b@nvr:554/", schemes: ["rtsp"]) }
    }

    @Test("A password never remains in the address, for any input")
    func anything() {
        var dice = SeededGenerator.forTest(33)
        let parts = ["#", "/", "?", "@", ":", "%", "%4", "[", "]", "\\", " ", "1", "a", "."]
        for _ in 0..<TestRepetitions.of(5000, full: 100_000) {
            let noise = (0..<Int.random(in: 0...7, using: &dice)).compactMap { _ in parts.randomElement(using: &dice) }.joined()
            let text = "rtsp://viewer:\(noise)SECRET\(noise)@192.0.2.20/live"
            guard let address = try? CameraAddress(text, schemes: ["rtsp"]) else { continue }
            #expect(!address.url.contains("SECRET"), "\(text), seed \(dice.seed)")
            #expect(address.host == "192.0.2.20" && address.user == "viewer", "\(text), seed \(dice.seed)")
        }
    }
}
