import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaMindAdapter
import CardeaTestSupport
import Foundation
import GRDB
import Testing

// A meter in Wh was once imported a thousand times too high, and °F as °C.
@Suite("Unit conversion on import", .timeLimit(.minutes(5)))
struct HistoryImportUnitTests {
    private static let sensors = [
        Entity(id: "sensor.meter", kind: .sensor, name: "Meter", deviceClass: "energy", unit: "kWh", verbs: []),
        Entity(id: "sensor.attic", kind: .sensor, name: "Attic", deviceClass: "temperature", unit: "°C", verbs: []),
        Entity(id: "sensor.wind", kind: .sensor, name: "Wind", deviceClass: "wind_speed", unit: "km/h", verbs: []),
    ]

    private func setUp(_ house: TestHouse) async throws -> (HistoryImporter, Principal) {
        let (owner, _) = try await house.claim()
        try await house.hub.devices.announce(
            Device(
                id: "weather", name: "Weather", deviceClass: .sensor, roomID: nil, integration: "scripted", status: .online,
                stateChangedAt: house.clock.now, entities: Self.sensors))
        let houseReader = HubHouseReader(house.hub.mindFeed)
        let clock = house.clock
        let memory = HouseEventStore(store: house.store, houseReader: houseReader, now: { clock.now })
        let past = HistoryImporter(
            readings: house.hub.readings, memory: memory, people: house.hub.people, house: try await houseReader.house(), at: clock.now)
        return (past, owner)
    }

    private func values(_ entity: String, in house: TestHouse, seenBy owner: Principal) async throws -> [Double] {
        let span = try house.hub.readings.span(from: house.clock.now - 86_400, to: house.clock.now)
        let history = try await house.hub.readings.history(
            of: "weather", entityID: entity, span: span, resolution: .raw, seenBy: owner)
        guard case .raw(let readings) = history.points else { return [] }
        return readings.map(\.value)
    }

    @Test("A Home Assistant recorder's units are converted per state")
    func recorder() async throws {
        try await TestHouse.open { house in
            let (past, owner) = try await setUp(house)
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).db")
            defer { try? FileManager.default.removeItem(at: file) }
            try write(
                [
                    ("sensor.meter", "1500", #"{"unit_of_measurement":"Wh","device_class":"energy"}"#),
                    ("sensor.meter", "2", #"{"unit_of_measurement":"kWh","device_class":"energy"}"#),
                    ("sensor.attic", "68", #"{"unit_of_measurement":"°F"}"#),
                    ("sensor.attic", "21", nil),
                    ("sensor.attic", "22", "no JSON"),
                    ("sensor.wind", "10", #"{"unit_of_measurement":"kn"}"#),
                    ("sensor.wind", "11", #"{"unit_of_measurement":7}"#),
                ], to: file, at: house.clock.now - 7200)
            let report = try await past.importRecorder(at: file)

            #expect(report.lines == 7 && report.refused == 1, "\(report)")
            #expect(report.problems.first?.words == "sensor.wind is kept in km/h, which kn cannot be turned into")
            #expect(try await values("sensor.meter", in: house, seenBy: owner) == [1.5, 2])
            #expect(try await values("sensor.attic", in: house, seenBy: owner) == [20, 21, 22])
            #expect(try await values("sensor.wind", in: house, seenBy: owner) == [11])
        }
    }

    @Test("A recorder without units is imported unconverted")
    func plain() async throws {
        try await TestHouse.open { house in
            let (past, owner) = try await setUp(house)
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).db")
            defer { try? FileManager.default.removeItem(at: file) }
            try write([("sensor.meter", "3", nil)], to: file, at: house.clock.now - 7200, hasUnits: false)

            #expect(try await past.importRecorder(at: file).refused == 0)
            #expect(try await values("sensor.meter", in: house, seenBy: owner) == [3])
        }
    }

    @Test("An import line may have a unit")
    func lines() async throws {
        try await TestHouse.open { house in
            let (past, owner) = try await setUp(house)
            let at = (house.clock.now - 7200).formatted(.iso8601)
            let report = try await past.importLines([
                #"{"timestamp":"\#(at)","device_id":"weather","kind":"energy","value":2500,"unit":"Wh"}"#,
                #"{"timestamp":"\#(at)","device_id":"weather","kind":"temperature","value":-40,"unit":"°F"}"#,
                #"{"timestamp":"\#(at)","device_id":"weather","kind":"wind_speed","value":3,"unit":"km/h"}"#,
                #"{"timestamp":"\#(at)","device_id":"weather","kind":"wind_speed","value":3,"unit":4}"#,
            ])

            #expect(report.refused == 1 && report.problems.first?.words == "unit is of the wrong type", "\(report)")
            #expect(try await values("sensor.meter", in: house, seenBy: owner) == [2.5])
            #expect(try await values("sensor.attic", in: house, seenBy: owner) == [-40])
            #expect(try await values("sensor.wind", in: house, seenBy: owner) == [3])
        }
    }

    /// A database like a Home Assistant recorder's, with a minute between its states.
    private func write(
        _ states: [(entity: String, state: String, attributes: String?)], to file: URL, at start: Date, hasUnits: Bool = true
    ) throws {
        let database = try DatabaseQueue(path: file.path)
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE states_meta (metadata_id INTEGER PRIMARY KEY, entity_id TEXT);
                    CREATE TABLE states (
                        state_id INTEGER PRIMARY KEY, state TEXT, last_updated_ts REAL, metadata_id INTEGER\(hasUnits ? ", attributes_id INTEGER" : ""));
                    """)
            if hasUnits {
                try db.execute(sql: "CREATE TABLE state_attributes (attributes_id INTEGER PRIMARY KEY, hash INTEGER, shared_attrs TEXT)")
            }
            for (number, entity) in Set(states.map(\.entity)).sorted().enumerated() {
                try db.execute(sql: "INSERT INTO states_meta VALUES (?, ?)", arguments: [number, entity])
            }
            for (number, state) in states.enumerated() {
                try db.execute(
                    sql: """
                        INSERT INTO states (state_id, state, last_updated_ts, metadata_id)
                        SELECT ?, ?, ?, metadata_id FROM states_meta WHERE entity_id = ?
                        """, arguments: [number + 1, state.state, start.timeIntervalSince1970 + Double(number) * 60, state.entity])
                guard hasUnits, let attributes = state.attributes else { continue }
                try db.execute(
                    sql: "INSERT INTO state_attributes (attributes_id, shared_attrs) VALUES (?, ?)", arguments: [number + 1, attributes])
                try db.execute(
                    sql: "UPDATE states SET attributes_id = state_id WHERE state_id = ?", arguments: [number + 1])
            }
        }
        try database.close()
    }
}
