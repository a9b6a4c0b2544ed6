import CardeaAPI
import CardeaDNSSD
import CardeaTestSupport
import Testing

@Suite("TXT records")
struct TXTRecordTests {
    @Test("A record encodes and decodes equal")
    func roundTrip() {
        var generator = SeededGenerator.forTest(1)
        for _ in 0..<2000 {
            var record = TXTRecord()
            var taken: [(String, String)] = []
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                let key = Self.text(of: "aB7 -_=é", upTo: 6, &generator)
                let value = Self.text(of: "xyz=é🚪 ", upTo: 90, &generator)
                if record.add(key, value) { taken.append((key, value)) }
            }
            let read = TXTRecord(decoding: record.bytes)
            #expect(read == record, "seed \(generator.seed)")
            #expect(record.bytes.count <= TXTRecord.sendLimit, "seed \(generator.seed)")
            for (key, value) in taken {
                #expect(read[key] == value, "seed \(generator.seed)")
                #expect(read[key.uppercased()] == value, "seed \(generator.seed)")
            }
        }
    }

    @Test("An empty record is one empty entry")
    func empty() {
        #expect(TXTRecord().bytes == [0])
        #expect(TXTRecord(decoding: []) == TXTRecord())
        #expect(TXTRecord(decoding: [0, 0, 0]) == TXTRecord())
    }

    @Test("An invalid, repeated or oversized key is refused")
    func refused() {
        var record = TXTRecord()
        let taken = [
            record.add("", "nothing"), record.add("a=b", "equals"), record.add("tür", "not ASCII"),
            record.add("k", String(repeating: "x", count: 254)), record.add("k", String(repeating: "x", count: 253)),
            record.add("K", "again"),
        ]
        #expect(taken == [false, false, false, false, true, false])
        for number in 0..<10 { record.add("more\(number)", String(repeating: "x", count: 240)) }
        #expect(record.bytes.count <= TXTRecord.sendLimit)
    }

    @Test("The first of equal keys counts, a bare key has no value, and entries after a broken one are dropped")
    func strange() {
        let bytes: [UInt8] = [3] + Array("a=1".utf8) + [3] + Array("A=2".utf8) + [1] + Array("b".utf8) + [2] + Array("=c".utf8)
        let record = TXTRecord(decoding: bytes + [4] + Array("d=é".utf8.prefix(4)) + [200, 0x65])
        #expect(record["a"] == "1")
        #expect(record["b"] == nil)
        #expect(record["d"] == "é")
        #expect(record["e"] == nil)
        #expect(TXTRecord(decoding: [3, 0x61, 0x3D, 0xFF])["a"] == nil)
    }

    @Test("Random bytes are decoded without a crash and encode back equal")
    func fuzzed() {
        var generator = SeededGenerator.forTest(2)
        for _ in 0..<TestRepetitions.of(5000, full: 20_000) {
            let bytes = (0..<Int.random(in: 0...400, using: &generator)).map { _ in
                Bool.random(using: &generator) ? UInt8.random(in: 0...255, using: &generator) : UInt8.random(in: 0...12, using: &generator)
            }
            let record = TXTRecord(decoding: bytes)
            #expect(TXTRecord(decoding: record.bytes) == record, "seed \(generator.seed)")
            _ = HouseAdvertisement { record[$0] }
        }
        let much = TXTRecord(decoding: (0..<70_000).map { _ in UInt8(2) })
        #expect(much.bytes.count <= TXTRecord.readLimit)
    }

    private static func text(of alphabet: String, upTo length: Int, _ generator: inout SeededGenerator) -> String {
        String((0..<Int.random(in: 0...length, using: &generator)).compactMap { _ in alphabet.randomElement(using: &generator) })
    }
}

@Suite("TXT record of a hub")
struct HouseSignTests {
    private static let pin = "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let id = String(repeating: "0a", count: 16)

    @Test("The record reads back equal", arguments: ["Linden Street 14", "Häuschen 🏡", String(repeating: "long ", count: 100)])
    func roundTrip(name: String) throws {
        let sign = HouseAdvertisement(name: name, houseID: Self.id, baseURL: "https://house.local:8300", externalURL: nil, pin: Self.pin)
        var record = TXTRecord()
        let isTaken = sign.txtRecord.map { record.add($0.key, $0.text) }
        #expect(isTaken.allSatisfy { $0 })
        let read = TXTRecord(decoding: record.bytes)
        #expect(HouseAdvertisement { read[$0] }?.pin == Self.pin)
        #expect(HouseAdvertisement { read[$0] }?.houseID == Self.id)
        #expect(sign.instanceName.utf8.count <= HouseAdvertisement.maxInstanceNameBytes)
    }

    @Test("Control characters in a foreign record are removed")
    func noControl() throws {
        let texts = [
            "uuid": Self.id, "pin": Self.pin, "version": "1", "base_url": "https://a\u{1B}[2J", "location_name": "\u{1B}[31mHome\u{202E}\n",
        ]
        let sign = try #require(HouseAdvertisement { texts[$0] })
        #expect(sign.name == "[31mHome")
        #expect(sign.baseURL == "https://a[2J")
    }

    @Test("A record without house or key is refused", arguments: ["uuid", "pin", "version", "base_url"])
    func missing(key: String) {
        var texts = ["uuid": Self.id, "pin": Self.pin, "version": "1", "base_url": "https://a"]
        #expect(HouseAdvertisement { texts[$0] } != nil)
        texts[key] = nil
        #expect(HouseAdvertisement { texts[$0] } == nil)
        #expect(HouseAdvertisement { $0 == "uuid" ? "../../etc" : texts[$0] } == nil)
    }
}
