import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import cardea

@Suite("Watch page")
struct WatchPageTests {
    private static let now = Date(timeIntervalSince1970: 1_795_271_467)

    private func device(
        _ id: String, _ name: String, room: String? = nil, state: String = "off", status: DeviceStatus = .online
    ) -> DeviceAnswer {
        let entity = Entity(id: "switch.\(id)", kind: .switch, name: name, verbs: [.on, .off], state: EntityState(state))
        var device = Device(
            id: id, name: name, deviceClass: .light, integration: "virtual", stateChangedAt: Self.now.addingTimeInterval(-60),
            entities: [entity])
        device.status = status
        return DeviceAnswer(device, room: room)
    }

    private func house(_ devices: [DeviceAnswer], only wanted: Set<String> = []) -> WatchModel {
        WatchModel(
            name: "Linden Street 14", zone: .gmt, devices: devices, asOf: Self.now.addingTimeInterval(-120), only: wanted)
    }

    private func lines(
        _ house: WatchModel, _ columns: Int = 80, _ rows: Int = 24, page: Int = 0, after seconds: TimeInterval = 0, style: Bool = false
    ) -> [String] {
        WatchPage(house: house, now: Self.now.addingTimeInterval(seconds), size: (columns, rows), style: TerminalStyle(isColoured: style))
            .lines(
                page: page)
    }

    private var hall: [DeviceAnswer] {
        [device("lamp", "Study lamp", room: "Study"), device("hall", "Hall light", room: "Hall"), device("gate", "Gate")]
    }

    @Test("Devices are grouped by room, and those without a room come last")
    func rooms() {
        let body = lines(house(hall)).map { $0.trimmingCharacters(in: .whitespaces) }
        let names = body.filter { !$0.isEmpty }.dropFirst().dropLast().map { String($0.prefix(10)) }
        #expect(names == ["Hall", "Hall light", "Study", "Study lamp", "No room", "Gate      "])
    }

    @Test("The header shows the house and its connection state or age")
    func head() throws {
        var house = house(hall)
        #expect(try #require(lines(house).first).contains("connecting…, as of 2 min ago"))
        house.receive(.connected, at: Self.now)
        let level = try #require(lines(house).first)
        #expect(level.hasPrefix("Linden Street 14 ") && level.hasSuffix("up to date"))
        house.receive(.interrupted(.noConnection(host: "house.example"), retryIn: .seconds(8)), at: Self.now)
        #expect(try #require(lines(house, after: 3).first).hasSuffix("hub unreachable, as of just now, trying again in 5 s"))
        house.receive(.interrupted(.noConnection(host: "house.example"), retryIn: .seconds(8)), at: Self.now.addingTimeInterval(180))
        #expect(try #require(lines(house, after: 190).first).hasSuffix("hub unreachable, as of 3 min ago, trying again"))
    }

    @Test("A change is highlighted for five seconds and shown in the footer of every page")
    func changes() throws {
        var house = house(hall)
        house.receive(.connected, at: Self.now)
        house.receive(.device(device("hall", "Hall light", room: "Hall", state: "on"), said: nil), at: Self.now)

        let row = try #require(lines(house, style: true).first { $0.contains("Hall light") })
        #expect(row.contains("\u{1B}[7mon\u{1B}[0m"))
        #expect(try #require(lines(house).last).hasPrefix("\(HouseClock.seconds(Self.now, in: .gmt))  Hall light  on"))
        #expect(try !#require(lines(house, after: 6, style: true).first { $0.contains("Hall light") }).contains("\u{1B}[7m"))
    }

    @Test("An equal report is no change, and a change during an interruption is highlighted afterwards")
    func unchangedState() {
        var house = house(hall)
        house.receive(.device(hall[0], said: nil), at: Self.now)
        #expect(house.latest == nil && !house.isHighlighted("lamp", at: Self.now))
        house.receive(.snapshot([hall[0], device("hall", "Hall light", room: "Hall", state: "on")]), at: Self.now)
        #expect(house.devices.map(\.deviceID) == ["lamp", "hall"])
        #expect(house.isHighlighted("hall", at: Self.now) && !house.isHighlighted("lamp", at: Self.now))
        house.receive(.deviceRemoved(id: "hall"), at: Self.now)
        #expect(house.latest?.words == "Hall light was removed" && house.devices.count == 1)
    }

    @Test("Only the requested devices are shown")
    func deviceFilter() {
        var house = house(hall, only: ["gate"])
        house.receive(.device(device("hall", "Hall light", state: "on"), said: nil), at: Self.now)
        house.receive(.snapshot(hall), at: Self.now)
        house.receive(.changed(.house), at: Self.now)
        #expect(house.devices.map(\.deviceID) == ["gate"] && house.latest == nil)
    }

    @Test("Devices that do not fit continue on the next page under their room's name")
    func pages() throws {
        let many = (0..<30).map { device("d\($0)", "Lamp \($0)", room: $0 < 20 ? "Hall" : "Study") }
        let house = house(many)
        let count = WatchPage(house: house, now: Self.now, size: (60, 12), style: TerminalStyle(isColoured: false)).pageCount
        let pages = (0..<count).map { lines(house, 60, 12, page: $0) }
        let shown = pages.flatMap { $0 }.compactMap { line in
            line.split(separator: " ").count > 2 && line.hasPrefix("  Lamp") ? line.split(separator: " ")[1] : nil
        }
        #expect(shown.map(String.init) == (0..<30).map(String.init))
        #expect(pages[1].contains("Hall, more") && pages.allSatisfy { $0.count == 12 })
        #expect(try #require(pages[0].last).contains("1/\(count)"))
        #expect(lines(house, 60, 12, page: 99) == pages.last)
    }

    @Test("No line or page exceeds the screen, for any device name")
    func fits() {
        var random = SeededGenerator.forTest(1)
        let names = [
            "Lamp", "Esstisch-Ständerlampe links hinten", "玄関の鍵", "👨‍👩‍👧 Kinder", "\u{1B}]0;x\u{07}Evil", "e\u{301}te\u{301}", "", "ｆｕｌｌ",
        ]
        for _ in 0..<TestRepetitions.of(100, full: 400) {
            let count = Int.random(in: 0...40, using: &random)
            let devices = (0..<count).map {
                device(
                    "d\($0)", names.randomElement(using: &random) ?? "",
                    room: [nil, "Hall", "台所", "A very long room's name"].randomElement(using: &random) ?? nil,
                    state: ["on", "off", String(repeating: "long ", count: 30)].randomElement(using: &random) ?? "",
                    status: Bool.random(using: &random) ? .online : .offline)
            }
            var house = house(devices)
            if Bool.random(using: &random), let one = devices.first {
                house.receive(.device(device(one.deviceID, one.name, state: "other"), said: nil), at: Self.now)
            }
            if Bool.random(using: &random) { house.receive(.connected, at: Self.now) }
            let (columns, rows) = (Int.random(in: 0...120, using: &random), Int.random(in: 0...50, using: &random))
            let lines = lines(house, columns, rows, page: Int.random(in: -1...5, using: &random))
            #expect(lines.count <= rows, "seed \(random.seed)")
            for line in lines {
                #expect(TextWidth.of(line) <= columns, "\(line.debugDescription) in \(columns) columns, seed \(random.seed)")
                #expect(!line.contains("\u{1B}"), "seed \(random.seed)")
            }
        }
    }

    // Every row once measured every name: two thousand lights took half a minute to draw. The time limit guards against that alone.
    @Test("Pages of a large house fill the screen", .timeLimit(.minutes(5)))
    func large() {
        let house = house((0..<5000).map { device("d\($0)", "Lamp \($0)", room: "Room \($0 % 40)") })
        for page in 0..<5 { #expect(lines(house, page: page).count == 24) }
    }

    @Test("Wide characters count as two columns, combining marks as none, and control characters are removed")
    func widths() {
        #expect(TextWidth.of("Hall") == 4 && TextWidth.of("玄関") == 4 && TextWidth.of("🏠") == 2 && TextWidth.of("👨‍👩‍👧") == 2)
        #expect(TextWidth.of("e\u{301}") == 1 && TextWidth.of("❤️") == 2)
        #expect(TextWidth.fit("玄関の鍵", 6) == "玄関… " && TextWidth.fit("Hall", 6) == "Hall  " && TextWidth.cut("Hall", 3) == "Ha…")
        #expect(TextWidth.printable("a\u{1B}[2Jb\u{202E}c\n") == "a[2Jbc")
        // A line keeps its colours and its end; a door's name moves no cursor, and changes no window title.
        #expect(TextWidth.sanitized("\u{1B}[1mHall\u{1B}[0m\t玄関\n") == "\u{1B}[1mHall\u{1B}[0m\t玄関\n")
        #expect(TextWidth.sanitized("\u{1B}[2J\u{1B}]0;door\u{7}\u{9B}31m\r\u{1B}[7\u{202E}x") == "[2J]0;door31m[7x")
    }

    @Test("An unknown state shows its last report and not a current state, and an assumed one is marked")
    func notKnown() {
        let clock = HouseClock(zone: .gmt, now: Self.now)
        func summary(_ status: DeviceStatus, isAssumed: Bool = false) -> String {
            var lock = Entity(id: "lock.door", kind: .lock, name: "Door", verbs: [.lock])
            var battery = Entity(id: "sensor.door", kind: .sensor, name: "Battery", unit: "%", verbs: [])
            let light = Entity(id: "light.door", kind: .light, name: "Lamp", verbs: [.on], state: EntityState("on"))
            let at = Self.now.addingTimeInterval(-3600)
            if isAssumed { lock.isAssumed = true } else { lock.lastReport = LastReport(EntityState("locked"), at: at) }
            battery.lastReport = LastReport(EntityState("87"), at: at.addingTimeInterval(-86_400))
            let device = Device(
                id: "door", name: "Door", deviceClass: .security, integration: "mqtt", status: status, stateChangedAt: Self.now,
                entities: status == .online ? [lock, battery, light] : [lock, battery])
            return StateText.summary(of: DeviceAnswer(device, room: nil), clock)
        }
        let lost = "not known, last reported locked \(clock.reportTime(Self.now.addingTimeInterval(-3600))), 87 % on 20 Nov at"
        #expect(summary(.unknown).hasPrefix(lost))
        #expect(summary(.offline).hasPrefix("does not answer; \(lost)"))
        #expect(summary(.online).hasPrefix("on; \(lost)"))
        #expect(summary(.online, isAssumed: true).hasPrefix("assumed, on; not known, last reported 87 % on 20 Nov at"))
    }

    @Test("Keys turn pages and quit")
    func keys() {
        #expect(TerminalEvent.Key([0x20]) == .next && TerminalEvent.Key(Array("\u{1B}[5~".utf8)) == .back)
        #expect(TerminalEvent.Key.all(in: Array("  xb".utf8)) == [.next, .next, .back])
        #expect(TerminalEvent.Key.all(in: Array("\u{1B}[6~".utf8)) == [.next])
        #expect(TerminalEvent.Key(Array("q".utf8)) == .quit && TerminalEvent.Key([0x1B]) == nil && TerminalEvent.Key([]) == nil)
    }

    @Test("Ages are formatted in readable units")
    func ages() {
        let clock = HouseClock(zone: .gmt, now: Self.now)
        let ago = { (seconds: TimeInterval) in clock.ago(Self.now.addingTimeInterval(-seconds)) }
        #expect([-50, 3, 40, 130, 7300, 200_000].map(ago) == ["just now", "just now", "40 s ago", "2 min ago", "2 h ago", "2 days ago"])
    }
}
