import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import Testing

@Suite("User-facing texts")
struct UserTextTests {
    private let clock: HouseClock

    init() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        // Saturday 21 November 2026, 15:31 in Berlin.
        clock = HouseClock(zone: zone, now: try #require(Timestamp.date("2026-11-21T14:31:00Z")))
    }

    @Test(
        "Times are formatted in the house's time zone",
        arguments: [
            ("2026-11-21T14:05:00Z", "15:05", "today at 15:05"), ("2026-11-20T23:30:00Z", "0:30", "today at 0:30"),
            ("2026-11-20T12:00:00Z", "yesterday 13:00", "yesterday at 13:00"),
            ("2026-11-22T08:00:00Z", "tomorrow 9:00", "tomorrow at 9:00"),
            ("2026-11-24T08:00:00Z", "Tue 9:00", "on Tuesday 24 November at 9:00"),
            ("2026-11-01T08:00:00Z", "1 Nov 9:00", "on Sunday 1 November at 9:00"),
            ("2025-11-01T08:00:00Z", "1 Nov 2025", "on Saturday 1 November 2025 at 9:00"),
        ])
    func times(instant: String, short: String, spoken: String) throws {
        let date = try #require(Timestamp.date(instant))
        #expect(clock.short(date) == short)
        #expect(clock.spoken(date) == spoken)
    }

    @Test("A range within one day names the day once")
    func ranges() throws {
        let start = try #require(Timestamp.date("2026-11-21T13:00:00Z"))
        #expect(clock.range(start, start.addingTimeInterval(4 * 3600)) == "today from 14:00 to 18:00")
        #expect(clock.range(start, start.addingTimeInterval(86_400)) == "from 14:00 to tomorrow 14:00")
    }

    @Test("A schedule is formatted as a readable sentence")
    func schedules() throws {
        func words(_ days: Set<Weekday>, _ from: String, _ to: String) throws -> String {
            let line = WeeklySchedule.Window(days: days, from: try #require(TimeOfDay(from)), to: try #require(TimeOfDay(to)))
            return ScheduleText.text(WeeklySchedule(lines: [line]))
        }
        #expect(try words([.tue, .fri], "09:00", "12:00") == "Tue and Fri, 9:00 to 12:00")
        #expect(try words([.mon, .tue, .wed, .thu, .fri], "09:00", "12:30") == "Mon to Fri, 9:00 to 12:30")
        #expect(try words(Set(Weekday.allCases), "22:00", "02:00") == "every day, 22:00 to 2:00 the next day")
        #expect(try words([.sat], "00:00", "00:00") == "Sat, all day")
    }

    @Test("A proof refusal states its effect at the door", arguments: ProofRefusal.allCases)
    func proofs(refusal: ProofRefusal) {
        let said = RefusalText(clock).sentence(for: APIError(status: 401, code: refusal.rawValue, message: ""))
        #expect(said.hasPrefix("Not opened") && said.contains(refusal == .clockSkew ? "clock is wrong" : ". "))
    }

    @Test("A refusal states the action, the reason and the next step for both API families")
    func refusals() {
        let words = RefusalText(clock)
        let owner = APIError(
            status: 403, code: "forbidden", message: "",
            details: ["reason": "outside_schedule", "next_opening": "2026-11-24T08:00:00.000Z"])
        let guest = APIError(status: 403, code: "outside_schedule", message: "", details: ["next_opening": 1_795_507_200])
        let expected = "Not opened: outside your hours. Next time: on Tuesday 24 November at 9:00. This try did not count."

        #expect(words.sentence(for: owner) == expected)
        #expect(words.sentence(for: guest) == expected)
        #expect(
            words.sentence(for: APIError(status: 401, code: "token_max_uses_exceeded", message: "", details: ["max_uses": 2]))
                == "This pass is used up: 2 of 2. Ask the house for more.")
        #expect(
            words.sentence(for: APIError(status: 429, code: "rate_limited", message: "", retryAfter: .seconds(125)))
                == "Too many tries. Again in 2:05.")
        #expect(
            words.sentence(for: APIError(status: 418, code: "something_new", message: "The house's own words.")) == "The house's own words."
        )
    }

    @Test("The door summary names the worst state first and claims only known states")
    func sentence() throws {
        let locked = try door("front-door", "Front door", "lock", "locked")
        let open = try door("garage", "Garage", "cover", "open", deviceClass: "garage")
        let silent = try door("back-door", "Back door", "lock", "locked", status: "offline")

        #expect(DoorSummaryText.summary([]) == "There are no doors here yet.")
        #expect(DoorSummaryText.summary([locked]) == "Front door is locked.")
        #expect(DoorSummaryText.summary([locked, locked]) == "Everything is locked.")
        #expect(DoorSummaryText.summary([locked, silent, open]) == "Garage is open. Back door does not answer. Front door is locked.")
        #expect(DoorSummaryText.summary([try door("x", "X", "lock", "unknown")]) == "X has not said how it stands.")
    }

    @Test("An unknown door is summarised with its last report, an assumed one as assumed, and neither as locked")
    func notKnown() throws {
        let locked = try door("front-door", "Front door", "lock", "locked")
        let today = try door("back-door", "Back door", "lock", "unknown", status: "unknown", last: ("locked", "2026-11-21T13:34:00.000Z"))
        let earlier = try door("gate", "Gate", "lock", "unknown", status: "offline", last: ("unlocked", "2026-11-12T22:34:00.000Z"))
        let assumed = try door("shed", "Shed", "lock", "unknown", isAssumed: true)

        #expect(
            DoorSummaryText.summary([locked, today, earlier, assumed], by: clock) == """
                Back door is not known, last reported locked at 14:34. Gate is not known, last reported unlocked on 12 Nov at 23:34. Shed never \
                says how it stands. Front door is locked.
                """)
        #expect(DoorSummaryText.summary([locked, today]) == "Back door is not known. Front door is locked.")
        #expect(
            DoorSummaryText.summary([today, today, today, today], by: clock)
                == "Back door, Back door, Back door and Back door are not known.")
        // An older hub reports a lost device by the status alone.
        #expect(DoorSummaryText.summary([try door("x", "X", "lock", "locked", status: "unknown")]) == "X has not said how it stands.")
        // Today's hub reports it by the state, also for a device that never reports availability.
        #expect(DoorSummaryText.summary([try door("x", "X", "lock", "locked", status: "unknown", isAssumed: false)]) == "X is locked.")

        let words = LastReportText(clock)
        #expect(
            words.text(today.entity) == "not known, last reported locked at 14:34" && words.text(today.device) == words.text(today.entity))
        #expect(words.text(assumed.entity) == "assumed" && words.text(locked.entity) == nil && words.text(locked.device) == nil)
        let at = try #require(Timestamp.date("2026-11-21T13:34:00Z"))
        #expect(
            words.unknownState([("on", at), ("21.4 °C", at), ("off", at.addingTimeInterval(-60))])
                == "not known, last reported on, 21.4 °C at 14:34, off at 14:33")
        #expect(words.unknownState([]) == "not known")
    }

    @Test("An unknown state of one entity does not hide the device's known states")
    func knownBeside() throws {
        let words = LastReportText(clock)
        let report = (state: "open", at: "2026-11-21T13:34:00.000Z")
        let contact = entity("x", "Contact", "cover", "unknown", last: report, isAssumed: false)
        let relay = entity("x", "Relay", "switch", "on", isAssumed: true)
        let press = entity("x", "Bell", "button", "unknown", last: report, isAssumed: false)
        let lost = "not known, last reported open at 14:34"
        let cases: [(beside: [String], lock: String, expected: String?)] = [
            ([contact], "locked", "locked; \(lost)"), ([relay], "locked", "locked; on, assumed"),
            ([relay, contact], "unlocked", "unlocked; on, assumed; \(lost)"), ([contact], "unknown", lost), ([press], "locked", nil),
        ]
        for (beside, lock, expected) in cases {
            let told = try door("x", "X", "lock", lock, isAssumed: false, beside: beside)
            #expect(words.text(told.device) == expected)
        }
    }

    @Test("Each outcome of a door command has its own text")
    func outcomes() {
        let words = DoorCommandText(.open, .lock)
        #expect(words.confirmed == "It is open. Pull the door.")
        #expect(words.unknown == "We are not sure it opened. The lock has not answered. Try the handle first.")
        #expect(
            words.failed(reason: "jammed", useReturned: true)
                == "The lock is jammed. Not opened, and this did not count. Push the door while trying again.")
        #expect(Set([words.confirmed, words.unknown, words.connectionLost, words.noConnection, words.expired]).count == 5)
    }

    private func door(
        _ id: String, _ name: String, _ kind: String, _ state: String, deviceClass: String? = nil, status: String = "online",
        last: (state: String, at: String)? = nil, isAssumed: Bool? = nil, beside others: [String] = []
    ) throws -> Door {
        let own = entity(id, name, kind, state, deviceClass: deviceClass, last: last, isAssumed: isAssumed)
        let entities = ([own] + others).joined(separator: ",")
        let json = """
            {"device_id":"\(id)","name":"\(name)","device_class":"security","room":null,"room_id":null,"integration":"virtual",
             "connection_method":"local","status":"\(status)","is_security_device":false,"is_guest_accessible":true,"state":{},"attributes":{},
             "version":1,"revision":1,"state_changed_at":"2026-11-21T14:31:07.250Z","last_seen":null,"actions":[],
             "entities":[\(entities)]}
            """
        let device = try WireFormat.read(DeviceAnswer.self, from: Data(json.utf8))
        return try #require(Door.all(in: [device]).first)
    }

    private func entity(
        _ id: String, _ name: String, _ kind: String, _ state: String, deviceClass: String? = nil, last: (state: String, at: String)? = nil,
        isAssumed: Bool? = nil
    ) -> String {
        let report = last.map { #","last_reported":{"state":"\#($0.state)","attributes":{},"at":"\#($0.at)"}"# } ?? ""
        let assumed = isAssumed.map { #","is_assumed":\#($0)"# } ?? ""
        return """
            {"entity_id":"\(kind).\(id)","entity_type":"\(kind)","name":"\(name)",
             "device_class":\(deviceClass.map { "\"\($0)\"" } ?? "null"),"state":"\(state)","attributes":{},"unit_of_measurement":null,
             "is_enabled":true,"actions":[],"notice":null\(report)\(assumed)}
            """
    }
}
