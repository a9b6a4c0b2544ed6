import CardeaDNSSD
import CardeaHub
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaBonjour

@Suite("Nearby services")
struct NearbyServiceRegistryTests {
    private static let start = Date(timeIntervalSince1970: 1_795_269_600)

    private static func instance(_ name: String, interface: UInt32 = 2) -> DNSSD.Instance {
        DNSSD.Instance(name: name, type: "_hap._tcp.", domain: "local.", interface: interface)
    }

    private static func lamp(_ name: String = "Lamp") -> NearbyService {
        NearbyService(kind: .homeKit, name: name, host: "lamp.local", port: 51_826)
    }

    @Test("An announced service is resolved, listed, and removed by its goodbye")
    func comesAndGoes() throws {
        var neighbourhood = NearbyServiceRegistry()
        neighbourhood.recordSighting(.found(Self.instance("Lamp")), of: .homeKit, at: Self.start)
        #expect(neighbourhood.services == [])

        let asked = neighbourhood.next(at: Self.start)
        let again = neighbourhood.next(at: Self.start)
        #expect(again == nil, "asked once at a time")
        let name = try #require(asked)
        neighbourhood.recordAnswer(Self.lamp(), of: name, at: Self.start)
        #expect(neighbourhood.services == [Self.lamp()])

        neighbourhood.recordSighting(.gone(Self.instance("Lamp")), of: .homeKit, at: Self.start)
        #expect(neighbourhood.services == [])
        neighbourhood.recordAnswer(Self.lamp(), of: name, at: Self.start)
        #expect(neighbourhood.services == [], "an answer that comes after the goodbye brings nobody back")
    }

    @Test("A service seen over IPv4 and IPv6 or on two networks is listed once until both are gone")
    func twice() throws {
        var neighbourhood = NearbyServiceRegistry()
        for interface: UInt32 in [2, 2, 3] {
            neighbourhood.recordSighting(.found(Self.instance("Lamp", interface: interface)), of: .homeKit, at: Self.start)
        }
        while let name = neighbourhood.next(at: Self.start) { neighbourhood.recordAnswer(Self.lamp(), of: name, at: Self.start) }
        #expect(neighbourhood.services == [Self.lamp()])

        neighbourhood.recordSighting(.gone(Self.instance("Lamp", interface: 3)), of: .homeKit, at: Self.start)
        neighbourhood.recordSighting(.gone(Self.instance("Lamp")), of: .homeKit, at: Self.start)
        #expect(neighbourhood.services == [Self.lamp()])
        neighbourhood.recordSighting(.gone(Self.instance("Lamp")), of: .homeKit, at: Self.start)
        #expect(neighbourhood.services == [])
    }

    @Test("A flood of announcements fills only its own kind's list, and foreign goodbyes remove nothing")
    func flood() throws {
        var neighbourhood = NearbyServiceRegistry()
        for number in 0..<10_000 {
            neighbourhood.recordSighting(.found(Self.instance("Lamp \(number)")), of: .homeKit, at: Self.start)
            neighbourhood.recordSighting(.gone(Self.instance("Nobody \(number)")), of: .homeKit, at: Self.start)
        }
        neighbourhood.recordSighting(.found(Self.instance("Home")), of: .homeAssistant, at: Self.start.addingTimeInterval(1))
        var inTurn = neighbourhood
        let now = Self.start.addingTimeInterval(1)
        let firsts = [inTurn.next(at: now), inTurn.next(at: now)].compactMap { $0?.kind }
        #expect(firsts == [.homeKit, .homeAssistant], "nor does their kind hold up another")
        var asked = 0
        while let name = neighbourhood.next(at: now) {
            asked += 1
            neighbourhood.recordAnswer(Self.lamp(name.instance.name), of: name, at: now)
        }
        #expect(asked == NearbyServiceRegistry.maximumPerKind + 1)
        #expect(neighbourhood.services.count == NearbyServiceRegistry.maximumPerKind + 1)
        #expect(neighbourhood.isTruncated)
        #expect(!neighbourhood.hasRoomAgain(for: .homeKit))

        neighbourhood.recordSighting(.gone(Self.instance("Lamp 5")), of: .homeKit, at: Self.start)
        #expect(neighbourhood.hasRoomAgain(for: .homeKit))
        #expect(!neighbourhood.hasRoomAgain(for: .homeAssistant))
        neighbourhood.removeAll(.homeKit)
        #expect(neighbourhood.services.count == 1)
        #expect(!neighbourhood.isTruncated)
    }

    @Test("An unresponsive service is queried less often, after others, and removed after its second timeout")
    func silence() throws {
        var neighbourhood = NearbyServiceRegistry()
        neighbourhood.recordSighting(.found(Self.instance("Lamp")), of: .homeKit, at: Self.start)
        var now = Self.start
        func ask(_ answer: NearbyService?) throws -> TimeInterval {
            let asked = now
            let next = neighbourhood.next(at: now)
            let name = try #require(next)
            neighbourhood.recordAnswer(answer, of: name, at: now)
            // Resolved on a copy, because the lookup is asynchronous.
            while true {
                var copy = neighbourhood
                guard copy.next(at: now) == nil, now < asked.addingTimeInterval(3600) else { return now.timeIntervalSince(asked) }
                now += 1
            }
        }
        let waits = try [ask(Self.lamp()), ask(nil)]
        #expect(neighbourhood.services == [Self.lamp()], "one silence is no news")
        let more = try (0..<6).map { _ in try ask(nil) }

        #expect(waits + more == [300, 20, 40, 80, 160, 300, 300, 300])
        #expect(neighbourhood.services == [])
        neighbourhood.recordSighting(.found(Self.instance("Fresh")), of: .homeKit, at: now)
        let first = neighbourhood.next(at: now)
        #expect(first?.instance.name == "Fresh")
    }

    // MARK: TXT records

    private static func place(_ texts: [String: String], host: String = "ha.local", port: UInt16 = 8123) -> DNSSD.Endpoint {
        var record = TXTRecord()
        for (key, value) in texts { record.add(key, value) }
        return DNSSD.Endpoint(host: host, port: port, text: record)
    }

    @Test("A Home Assistant service has name, version and internal URL")
    func homeAssistant() throws {
        let texts = [
            "location_name": "Linden Street", "version": "2026.11.1", "internal_url": "http://192.168.1.20:8123",
            "external_url": "https://home.example.org", "base_url": "https://home.example.org", "uuid": "00",
        ]
        let thing = try #require(NearbyService(.homeAssistant, called: "Home", at: Self.place(texts), address: "192.168.1.20"))
        #expect([thing.name, thing.version, thing.host, thing.address] == ["Linden Street", "2026.11.1", "ha.local", "192.168.1.20"])
        #expect(thing.urls.map(\.description).first == "http://192.168.1.20:8123")
        #expect(thing.urls.map(\.description).last == "https://home.example.org:443")

        let bare = try #require(NearbyService(.homeAssistant, called: "Home", at: Self.place([:]), address: nil))
        #expect(bare.urls.map(\.description) == ["http://ha.local:8123"])
    }

    @Test("A HomeKit accessory has model, category and pairing state")
    func homeKit() throws {
        let lock = try #require(
            NearbyService(.homeKit, called: "Cellar", at: Self.place(["md": "Bolt 2", "ci": "6", "sf": "1"]), address: nil))
        #expect([lock.model, lock.category] == ["Bolt 2", "door lock"])
        #expect(lock.isPaired == false)
        let odd = try #require(
            NearbyService(.homeKit, called: "Cellar", at: Self.place(["ci": "-7", "sf": "99999999999999999999"]), address: nil))
        #expect(odd.category == nil && odd.isPaired == nil && odd.urls == [])
    }

    @Test("Received texts are shown without control characters, or not at all")
    func hostile() throws {
        let texts = ["location_name": "\u{1B}[31mHome\u{202E}\n", "version": "\u{0}\u{7}", "md": "\u{2066}Lamp\u{1B}]0;x\u{7}"]
        let home = try #require(NearbyService(.homeAssistant, called: "x", at: Self.place(texts), address: nil))
        #expect(home.name == "[31mHome")
        #expect(home.version == nil)
        let unnamed = NearbyService(.homeKit, called: "\u{202E}\u{1B}", at: Self.place(texts, host: "l\u{1B}amp.local"), address: nil)
        let lamp = try #require(unnamed)
        #expect(lamp.model == "Lamp]0;x")
        #expect([lamp.name, lamp.host] == ["lamp.local", "lamp.local"], "where no name is left it is called by its host")
        #expect(NearbyService(.homeKit, called: "x", at: Self.place([:], host: "\u{1B}"), address: nil) == nil)
        #expect(NearbyService(.homeKit, called: "x", at: Self.place([:], port: 0), address: nil) == nil)

        var generator = SeededGenerator.forTest(3)
        for _ in 0..<TestRepetitions.of(1000, full: 5000) {
            let bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let name = String(decoding: bytes.prefix(63), as: UTF8.self)
            let place = DNSSD.Endpoint(host: name, port: 1, text: TXTRecord(decoding: bytes))
            for kind in NearbyService.Kind.allCases {
                guard let thing = NearbyService(kind, called: name, at: place, address: nil) else { continue }
                for text in [thing.name, thing.host, thing.model ?? "", thing.version ?? ""] {
                    #expect(text.count <= 100, "seed \(generator.seed)")
                    #expect(
                        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && !$0.properties.isBidiControl },
                        "seed \(generator.seed)")
                }
            }
        }
    }
}

@Suite("Announced connection addresses")
struct NearbyAddressTests {
    @Test(
        "A local name or address with a port is accepted as parsed",
        arguments: [
            ("http://homeassistant.local:8123", "http://homeassistant.local:8123"),
            ("HTTPS://Home.Example.org/", "https://home.example.org:443"),
            ("http://192.168.1.20:8123", "http://192.168.1.20:8123"), ("http://ha.local.:8123", "http://ha.local:8123"),
        ])
    func taken(text: String, is wanted: String) {
        #expect(NearbyAddress(text)?.description == wanted)
    }

    @Test(
        "Loopback, metadata addresses, paths and credentials are refused",
        arguments: [
            "", "ha.local", "ftp://ha.local", "javascript:alert(1)", "http://", "http://user@ha.local", "http://user:word@ha.local:8123",
            "http://ha.local/lovelace", "http://ha.local?x", "http://ha.local#x", "http://127.0.0.1:8123", "http://localhost:8123",
            "http://x.localhost", "http://2130706433", "http://0x7f.1", "http://127.1", "http://0177.0.0.1", "http://169.254.169.254",
            "http://0.0.0.0:8123", "http://[::1]:8123", "http://[fe80::1]:8123", "http://224.0.0.251", "http://a%40b", "http://a%2fb",
            "http://ha.local:0", "http://ha.local:65536", "http://ha..local", "http://\u{202E}ha.local", "http://ha.local\u{0}",
            "http://" + String(repeating: "a", count: 300),
        ])
    func refused(text: String) {
        #expect(NearbyAddress(text) == nil)
    }

    @Test("A parsed address reads back equal")
    func fuzzed() {
        var generator = SeededGenerator.forTest(4)
        let alphabet = Array("http://s:@[]%2.f#?é01-_a\u{0}\u{202E}")
        for _ in 0..<5000 {
            let tail = (0..<Int.random(in: 0...40, using: &generator)).compactMap { _ in alphabet.randomElement(using: &generator) }
            guard let address = NearbyAddress("http://" + String(tail)) else { continue }
            #expect(NearbyAddress(address.description) == address, "\(address), seed \(generator.seed)")
        }
    }
}
