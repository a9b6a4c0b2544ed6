import CardeaSecurity
import CardeaTestSupport
import Foundation
import Testing

@Suite("Tag links")
struct TagLinkTests {
    @Test("Static, touch and live links are distinguished by their form")
    func kinds() throws {
        let signature = "6137d74275e3bb389b522f5339e822756f804ac710a5dd7ab95cb60943af1214"
        let query = "idx=0&ts=1700000000&sig=\(signature)"

        #expect(try TagLink("https://house.example/t/tag_1") == .staticTag(id: "tag_1"))
        #expect(try TagLink("http://192.168.1.2:8080/t/tag_1") == .staticTag(id: "tag_1"))
        #expect(
            try TagLink("https://house.example/t/?picc_data=EF96&cmac=94EE")
                == .touch(id: nil, values: ["picc_data": "EF96", "cmac": "94EE"]))
        #expect(try TagLink("https://house.example/t?e=EF96&c=94EE") == .touch(id: nil, values: ["e": "EF96", "c": "94EE"]))
        #expect(try TagLink("https://house.example/t/tag_1?e=00") == .touch(id: "tag_1", values: ["e": "00"]))
        for link in ["smp://action?\(query)", "https://house.example/t/action?\(query)"] {
            #expect(try TagLink(link) == .live(SignedActionLink("smp://action?\(query)")))
        }
    }

    @Test(
        "A link of any other form is refused",
        arguments: [
            "", "tag_1", "/t/tag_1", "smp://t/tag_1", "ftp://house.example/t/tag_1", "https://house.example/", "https://house.example/t",
            "https://house.example/t/", "https://house.example/x/tag_1", "https://house.example/t/a/b",
            "https://house.example/t/..%2Fsettings", "https://house.example/t/a%2Fb", "https://house.example/T/tag_1",
            "https://user@house.example/t/tag_1", "https://house.example/t/tag%C3%A9", "https://house.example/t/action",
            "https://house.example/t/action?idx=0", "https://house.example/t/?", "https://house.example/t/?a",
            "https://house.example/t/?=1",
            "https://house.example/t/?a=1&a=2", "https://house.example/t/?a=1&", "https://house.example/t/?utm_source=mail",
            "https://house.example/t/?a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1&i=1", "https://house.example/t/" + String(repeating: "a", count: 65),
            "https://house.example/t/?a=" + String(repeating: "0", count: 1024),
        ])
    func malformed(text: String) {
        #expect(throws: TagLink.MalformedLinkError.self) { try TagLink(text) }
    }

    /// `CARDEA_FUZZED_LINKS` sets the number of links; `make chaos` runs a million.
    private static let fuzzed = TestRepetitions.of(20_000, full: 20_000, variable: "CARDEA_FUZZED_LINKS")

    /// With one to four octets changed, removed or inserted.
    private static func damaged(_ link: [UInt8], _ random: inout SeededGenerator) -> String {
        var bytes = link
        for _ in 0...Int.random(in: 0...3, using: &random) {
            let place = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes.remove(at: place)
            default: bytes.insert(.random(in: .min ... .max, using: &random), at: place)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Damaged links cause no crash, and none parses as a live link")
    func fuzz() throws {
        let (secret, moment) = (ButtonSecret.make(), Date(timeIntervalSince1970: 1_700_000_000))
        let live = "smp://action?" + SignedActionLink.query(index: 0, at: moment, secret).reveal()
        let undamaged = try SignedActionLink(live)
        let links = [
            "https://house.example/t/tag_01a2053798ed7dcf848151296dc52e0f",
            "https://house.example/t/?picc_data=EF963FF7828658A5&cmac=94EED9EE",
            live,
        ].map { Array($0.utf8) }
        var random = SeededGenerator.forTest(6)
        for round in 0..<Self.fuzzed {
            let text = Self.damaged(links[round % links.count], &random)
            guard case .live(let link)? = try? TagLink(text), (try? link.check(secret, at: moment)) != nil else { continue }
            // It may be readable; it is accepted only as another spelling of the same link, and then used up with it.
            #expect(PastedText.tagLink(text).lowercased() == live && link.digest == undamaged.digest, "\(text), seed \(random.seed)")
        }
        try undamaged.check(secret, at: moment)
    }

    @Test("A damaged touch link causes no crash and is accepted only with the tag's original values")
    func fuzzedTouches() throws {
        let keys = SUNKeys(meta: .make(), file: .make())
        var tag = SoftwareTag(uid: Data([0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40]), meta: keys.meta, file: keys.file)
        let links = [try tag.touch("https://house.example/t/tag_1"), try tag.touch(with: Data(repeating: 0x78, count: 32))]
        let said = try links.map(Self.values)
        var random = SeededGenerator.forTest(7)
        for round in 0..<Self.fuzzed {
            let which = round % links.count
            let text = Self.damaged(Array(links[which].utf8), &random)
            guard let values = try? Self.values(text), let message = try? keys.message(values), let touch = try? message.touch(keys.meta),
                (try? message.check(touch, keys.file)) != nil
            else { continue }
            // The house's name may differ, and the digits may be lowercase: their values are the same, to the last bit.
            #expect(values.mapValues { $0.uppercased() } == said[which], "\(text), seed \(random.seed)")
        }
        for (link, values) in zip(links, said) {
            let message = try #require(try keys.message(values), "\(link)")
            try message.check(message.touch(keys.meta), keys.file)
        }
    }

    /// The parameters of a link, by name.
    private static func values(_ link: String) throws -> [String: String] {
        guard case .touch(_, let values) = try TagLink(link) else { throw CancellationError() }
        return values
    }

    @Test("Parameter names are three different plain words")
    func names() {
        #expect(SUNKeys.ParameterNames.standard.isValid && SUNKeys.ParameterNames(picc: "e", enc: "d", cmac: "c").isValid)
        for names in [("e", "e", "c"), ("", "d", "c"), ("e=", "d", "c"), ("e1", "d", "c"), (String(repeating: "e", count: 17), "d", "c")] {
            #expect(!SUNKeys.ParameterNames(picc: names.0, enc: names.1, cmac: names.2).isValid, "\(names)")
        }
    }

    @Test("A tag's keys are sealed and open only at their own place")
    func sealed() throws {
        let (sealing, keys) = (SealingKey.random(), SUNKeys(meta: .make(), file: .make(), names: .init(picc: "e", enc: "d", cmac: "c")))

        let sealed = try keys.sealed(by: sealing, for: "tags/1/keys")
        let opened = try SUNKeys(sealed: sealed, by: sealing, for: "tags/1/keys")

        #expect(opened.meta.octets == keys.meta.octets && opened.file.octets == keys.file.octets && opened.names == keys.names)
        #expect(throws: (any Error).self) { try SUNKeys(sealed: sealed, by: sealing, for: "tags/2/keys") }
        #expect("\(keys)" == "[keys]" && !String(reflecting: keys).contains(keys.file.hex.reveal()))
    }
}
