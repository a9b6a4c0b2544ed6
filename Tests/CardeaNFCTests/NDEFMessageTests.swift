import CardeaNFC
import Foundation
import Testing

@Suite("NDEF messages")
struct NDEFMessageTests {
    @Test("A link is encoded as in the NFC Forum's example and reads back")
    func example() throws {
        // RTD URI 1.0, "A simple URL with no substitution" and its like: http://www.nfc.com.
        let octets: [UInt8] = [0xD1, 0x01, 0x08, 0x55, 0x01, 0x6E, 0x66, 0x63, 0x2E, 0x63, 0x6F, 0x6D]

        #expect(NDEFMessage(link: "http://www.nfc.com").octets == octets)
        #expect(try NDEFMessage(octets).records.map(\.link) == ["http://www.nfc.com"])
    }

    @Test(
        "A link uses the longest prefix code",
        arguments: [
            ("https://www.house.example/t/1", 0x02, "house.example/t/1"), ("https://house.example/t/1", 0x04, "house.example/t/1"),
            ("urn:epc:id:7", 0x1E, "7"), ("urn:epc:7", 0x22, "7"), ("urn:7", 0x13, "7"), ("smp://action?idx=0", 0x00, "smp://action?idx=0"),
            ("", 0x00, ""), ("ftp://ftp.house.example", 0x08, "house.example"), ("HTTPS://house.example", 0x00, "HTTPS://house.example"),
        ])
    func beginnings(link: String, code: UInt8, rest: String) {
        let record = NDEFRecord.link(link)

        #expect(record.payload == [code] + Array(rest.utf8))
        #expect(record.link == link)
    }

    @Test("Every prefix code reads back equal, and an unassigned one adds nothing")
    func everyBeginning() throws {
        for code in UInt8.min...UInt8.max {
            let record = try NDEFRecord(.wellKnown, type: [0x55], payload: [code] + Array("x".utf8))
            let link = try #require(record.link)
            #expect(code < 0x24 ? NDEFRecord.link(link).payload.first == code : link == "x", "\(code)")
        }
    }

    @Test("A text record keeps its language in UTF-8 and UTF-16")
    func texts() throws {
        let record = NDEFRecord.text("Haustür", language: "de")
        #expect(record.payload == [2] + Array("deHaustür".utf8))
        #expect(record.text?.text == "Haustür" && record.text?.language == "de")
        let wide: [(payload: [UInt8], text: String)] = [
            ([0x82, 0x65, 0x6E, 0x00, 0x48, 0x00, 0x69], "Hi"), ([0x82, 0x65, 0x6E, 0xFF, 0xFE, 0x48, 0x00, 0x69, 0x00], "Hi"),
            ([0x82, 0x65, 0x6E, 0xFE, 0xFF, 0x00, 0x48, 0x00, 0x69], "Hi"), ([0x80], ""),
        ]
        for (payload, text) in wide {
            #expect(try NDEFRecord(.wellKnown, type: [0x54], payload: payload).text?.text == text)
        }
        for broken: [UInt8] in [[], [0x3F], [0x82, 0x65, 0x6E, 0x00], [0x00, 0xFF], [0x80, 0xD8, 0x00]] {
            #expect(try NDEFRecord(.wellKnown, type: [0x54], payload: broken).text == nil)
        }
    }

    @Test("A link record's padding is ignored")
    func padding() throws {
        for padding: [UInt8] in [[0], [0, 0, 0], [0xFE], [0, 0xFE], [0xFF, 0xFF]] {
            let payload = [UInt8(4)] + Array("house.example/t/1".utf8) + padding
            #expect(try NDEFRecord(.wellKnown, type: [0x55], payload: payload).link == "https://house.example/t/1")
            #expect(try NDEFRecord(.absoluteURI, type: Array("https://house.example".utf8) + padding).link == "https://house.example")
        }
    }

    @Test("A record of another type gives nil")
    func others() throws {
        #expect(NDEFRecord.text("x").link == nil && NDEFRecord.link("x").text == nil)
        #expect(try NDEFRecord(.media, type: Array("text/plain".utf8), payload: [1]).link == nil)
        #expect(try NDEFRecord(.wellKnown, type: [0x55]).link == nil)
        #expect(try NDEFRecord(.wellKnown, type: [0x55], payload: [4, 0xFF, 0x78]).link == nil)
        #expect(try NDEFRecord(.absoluteURI, type: Array("https://house.example".utf8)).link == "https://house.example")
    }

    @Test("A chunked record is reassembled")
    func chunks() throws {
        let octets: [UInt8] = [0xB1, 1, 2, 0x55, 4, 0x61, 0x36, 0, 1, 0x62, 0x56, 0, 2, 0x63, 0x64]

        #expect(try NDEFMessage(octets) == NDEFMessage(link: "https://abcd"))
    }

    @Test(
        "An invalid message is refused",
        arguments: [
            [], [0xD0], [0xD1, 1, 1, 0x55], [0x51, 1, 1, 0x55, 0], [0x91, 1, 1, 0x55, 0],
            // Data after the last record; a second first record; an id on a record without one; an unknown type.
            [0xD1, 1, 1, 0x55, 0, 0], [0x91, 1, 1, 0x55, 0, 0xD1, 1, 1, 0x55, 0], [0xD0, 1, 0, 0x55], [0xD7, 0, 0], [0xD6, 0, 0],
            // A chunk without an end, one that begins in the middle, one with its own type.
            [0xF1, 1, 1, 0x55, 0], [0xB1, 1, 1, 0x55, 0, 0x51, 1, 1, 0x55, 0], [0xB1, 1, 1, 0x55, 0, 0x56, 1, 1, 0x55, 0],
            // Four billion octets.
            [0xC1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x55, 0], [0xC9, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xD1, 0, 1, 0],
        ] as [[UInt8]])
    func refused(octets: [UInt8]) {
        #expect(throws: NDEFError.malformed) { try NDEFMessage(octets) }
    }

    @Test("An invalid record cannot be created")
    func invalidRecords() throws {
        let long = [UInt8](repeating: 1, count: 256)
        #expect(throws: NDEFError.self) { try NDEFRecord(.wellKnown, type: long) }
        #expect(throws: NDEFError.self) { try NDEFRecord(.external, type: [1], id: long) }
        #expect(throws: NDEFError.self) { try NDEFRecord(.empty, payload: [1]) }
        #expect(throws: NDEFError.self) { try NDEFRecord(.unknown, type: [1]) }
        #expect(throws: NDEFError.self) { try NDEFRecord(.media) }
        #expect(throws: NDEFError.self) { try NDEFMessage([NDEFRecord]()) }
    }

    @Test("Random messages read back equal")
    func roundTrips() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let message = random.message()
            #expect(try NDEFMessage(message.octets) == message, "seed \(random.seed)")
        }
    }

    /// `CARDEA_FUZZED_MESSAGES` sets the number of messages; `make chaos` runs a million.
    @Test("Damaged messages cause no crash, and a parsed one can be written")
    func fuzz() throws {
        var random = SeededGenerator(seed: 2)
        var readable = 0
        let count = SeededGenerator.iterations(20_000, full: 150_000, variable: "CARDEA_FUZZED_MESSAGES")
        for _ in 0..<count / 100 {
            let whole = random.message().octets
            for _ in 0..<100 {
                let octets = random.mutated(whole)
                guard let message = try? NDEFMessage(octets) else { continue }
                readable += 1
                guard (try? NDEFMessage(message.octets)) == message else {
                    Issue.record("\(octets), seed \(random.seed)")
                    return
                }
                for record in message.records { _ = (record.link, record.text?.text) }
            }
        }
        #expect(readable > count / 15, "seed \(random.seed)")
    }
}
