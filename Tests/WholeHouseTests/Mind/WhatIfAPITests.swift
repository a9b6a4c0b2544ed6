import CardeaHub
import CardeaMind
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import HTTPTypes
import Testing

@Suite("What-if API", .timeLimit(.minutes(10)))
struct WhatIfAPITests {
    private static let path = "/api/v1/predictions/what-if"

    /// The row counts of the tables that a command or a reading would change.
    private func rowCounts(_ house: TestHouse) async throws -> [Int?] {
        try await house.store.read { db in
            try ["journal", "commands", "readings", "hourly_readings", "twins"].map { table in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
            }
        }
    }

    @Test("A warm night gets a range from the room's history, in words and hourly, and nothing is executed")
    func room() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            try await HeatedRoomFixture.install(house, by: owner)
            let before = try await rowCounts(house)

            let answer = try await ask(
                .post, Self.path,
                """
                {"scenario":"Warm","changes":{"room":{"living-room":{"temperature":22,"from":"22:00","to":"06:00"}}},"duration":"8h",
                "metrics":["energy","cost","temperature"]}
                """)

            #expect(answer.status == 200 && answer.body["status"] == "completed" && answer.body["problems"] == [:])
            let energy = try #require(answer.body["results"]?["energy"])
            let (low, high) = (energy["difference"]?["low"]?.number ?? 0, energy["difference"]?["high"]?.number ?? 0)
            // Four and a half degrees more over the night, by hand: 4.5 °C of store at 1.1 °C per kilowatt-hour, and the losses meanwhile.
            #expect(low > 1 && high < 20 && low < high && energy["unit"] == "kWh")
            let cost = try #require(answer.body["results"]?["cost"]?["difference"]?["value"]?.number)
            #expect(abs(cost - 0.15 * (energy["difference"]?["value"]?.number ?? 0)) < 1e-6)
            let series = answer.body["results"]?["temperature"]?["series"]?.array ?? []
            #expect(series.count == 8 && series.first?["at"] == "2026-11-21T21:00:00.000Z")
            #expect(answer.body["response"]?.string?.contains("would cost about") == true)
            #expect((answer.body["basis"]?["readings"]?.number ?? 0) > 500 && answer.body["replay"] == .null)
            #expect(answer.body["recommendations"]?.array.isEmpty == false)
            #expect(try await rowCounts(house) == before)
            // It can be asked in plain words, too; only the fact of the question is recorded.
            let asked = try await ask(
                .post, "/api/v1/consciousness/query", #"{"query":"What would it cost to keep 22 degrees all night?"}"#)
            #expect((asked.body["confidence"]?.number ?? 0) > 0.5 && asked.body["suggested_actions"] == [])
            #expect(asked.body["response"]?.string?.contains("would cost about") == true)
            #expect(asked.body["context"]?["devices"]?.array.contains("living-heater") == true)
            // The answer contains the query for the same values hour by hour.
            let question = try #require(asked.body["what_if"])
            let same = try await ask(.post, Self.path, String(decoding: try JSONEncoder().encode(question), as: UTF8.self))
            #expect(same.status == 200 && same.body["results"]?["cost"]?["series"]?.array.count == 24, "\(question)")

            #expect(try await rowCounts(house).dropFirst() == before.dropFirst() && house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("A dryer left off saves its consumption; an unmeasured device is named")
    func devices() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            try await HeatedRoomFixture.install(house, by: owner)

            let dryer = try await ask(
                .post, Self.path, #"{"changes":{"device":{"dryer":{"power":"off"}}},"duration":"1d","metrics":["energy"]}"#)
            #expect(abs((dryer.body["results"]?["energy"]?["difference"]?["value"]?.number ?? 0) + 1.5) < 0.1)
            let light = try await ask(.post, Self.path, #"{"changes":{"device":{"hall-light":{"power":"off"}}},"duration":"8h"}"#)
            #expect(light.status == 200 && light.body["results"] == [:])
            #expect(light.body["problems"]?["energy"]?.string?.contains("Nothing measures") == true)
            let asked = try await ask(
                .post, "/api/v1/consciousness/query", #"{"query":"what would it cost to keep 22 degrees in the hall all night?"}"#)
            #expect(asked.body["confidence"] == 0)
        }
    }

    @Test("An invalid what-if request is rejected by field")
    func refused() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let light = #"{"device":{"hall-light":{"power":"off"}}}"#
            for (body, field) in [
                (#"{"duration":"8h"}"#, "changes"), (#"{"changes":\#(light)}"#, "duration"),
                (#"{"changes":\#(light),"duration":"8"}"#, "duration"), (#"{"changes":\#(light),"duration":"2 months"}"#, "duration"),
                (#"{"changes":\#(light),"duration":"8h","metrics":["noise"]}"#, "metrics"),
                (#"{"changes":\#(light),"duration":"8h","from":"2030-01-01T00:00:00Z"}"#, "from"),
                (#"{"changes":{},"duration":"8h"}"#, "changes"),
                (#"{"changes":{"room":{"attic":{"temperature":22}}},"duration":"8h"}"#, "changes.room.attic"),
                (#"{"changes":{"device":{"hall-light":{"power":"dim"}}},"duration":"8h"}"#, "changes.device.hall-light.power"),
            ] {
                let answer = try await ask(.post, Self.path, body)
                #expect(answer.status == 400 && answer.body["error"]?["details"]?["field"] == .string(field), "\(body)")
            }
        }
    }

    @Test(
        "A revoked pass keeps its doors shut, unchanged rules change nothing, and hidden people stay hidden"
    )
    func replay() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let (ben, member) = try await house.resident("Ben", role: "member", by: owner)
            let bens = TestAPIClient(client: client, token: member.access)
            let (guest, id, _) = try await house.guest(house.draft(uses: 3), by: owner)
            for _ in 0..<3 {
                #expect(try await house.run(house.open(as: guest)).status == .confirmed)
                house.clock.advance(by: 600)
            }
            await #expect(throws: CommandRefusal.self) { try await house.submit(house.open(as: guest)) }
            _ = try await house.run(house.unlock("back-door", as: ben))
            house.clock.advance(by: 60)
            let backendCommands = house.doorBackend.backendCommands.count

            func imagined(_ who: String, _ change: String) -> String { #"{"changes":{"access":{"\#(who)":\#(change)}},"duration":"7d"}"# }
            let shut = try await ask(.post, Self.path, imagined("guest:\(id)", #"{"revoked":true}"#))
            #expect(shut.body["replay"]?["opened_then_shut"] == 3 && shut.body["replay"]?["unknown"] == 0)
            let row = try #require(shut.body["replay"]?["rows"]?.array.last)
            #expect(row["device_id"] == "front-door" && row["who"] == "Plumber" && row["was"] == "let through")
            #expect(row["would_be"] == "refused (revoked)")
            let more = try await ask(.post, Self.path, imagined("guest:\(id)", #"{"max_uses":0}"#))
            #expect(more.body["replay"]?["shut_then_opened"] == 1 && more.body["replay"]?["opened_then_shut"] == 0)
            let same = try await ask(.post, Self.path, imagined("guest:\(id)", #"{"max_uses":3}"#))
            #expect(same.body["replay"]?["rows"] == [] && same.body["results"]?["access"]?["difference"]?["value"] == 0)

            // A member gets only their own actions.
            #expect(try await bens(.post, Self.path, imagined("guest:\(id)", #"{"revoked":true}"#)).status == 400)
            let flagged =
                #"{"changes":{"device":{"front-door":{"is_security_device":true},"back-door":{"is_security_device":true}}},"duration":"7d"}"#
            let own = try await bens(.post, Self.path, flagged)
            #expect(own.body["replay"]?["rows"]?.array.map { $0["who"] } == ["Ben"] && own.body["replay"]?["opened_then_shut"] == 1)
            #expect(house.doorBackend.backendCommands.count == backendCommands, "nothing was moved by imagining it")
        }
    }

    @Test("A watch rule is compared with notifying automations for permitted callers, over a chosen period")
    func watched() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, member) = try await house.resident("Ben", role: "member", by: owner)
            let lock = CommandRequest.Target.device(id: "front-door", entityID: nil, verb: .lock)
            func stands(for seconds: Double) async throws {
                _ = try await house.run(house.unlock(as: owner))
                house.clock.advance(by: seconds)
                _ = try await house.run(.init(principal: owner, target: lock, origin: .house))
                house.clock.advance(by: 60)
            }
            try await stands(for: 1200)
            house.clock.advance(by: 3 * 86_400)
            try await stands(for: 1200)
            try await stands(for: 7200)
            await house.mind.poll(isAsked: true)
            // Days have passed.
            let ask = TestAPIClient(client: client, token: try await house.hub.sessions.refresh(tokens.refresh, origin: .house).access)
            let bens = TestAPIClient(client: client, token: try await house.hub.sessions.refresh(member.refresh, origin: .house).access)

            func imagined(_ days: Int? = nil) -> String {
                let looked = days.map { ",\"days\":\($0)" } ?? ""
                let rule = #"{"watch":{"states":["unlocked"],"longer_than":"1h"}}"#
                return #"{"changes":{"device":{"lock.front_door":\#(rule)}},"duration":"1d"\#(looked)}"#
            }
            let alone = try await ask(.post, Self.path, imagined())
            #expect(alone.body["notices"]?["lock.front_door"]?["added"]?.array.count == 1, "\(alone.body)")
            #expect(alone.body["notices"]?["lock.front_door"]?["kept"] == 0)
            #expect(alone.body["response"]?.string?.contains("nothing that I know of tells of it now") == true)

            try await house.automation(
                AutomationDraft(
                    name: "Open", triggers: [.state(entityID: "lock.front_door", to: "unlocked", seconds: 600)],
                    actions: [.notify(words: "The door is open.", to: .owner)]), by: owner)
            let week = try await ask(.post, Self.path, imagined())
            let notices = try #require(week.body["notices"]?["lock.front_door"])
            #expect(notices["kept"] == 1 && notices["missed"]?.array.count == 2 && notices["added"] == [], "\(week.body)")
            #expect(week.body["response"]?.string?.contains("2 fewer and 0 more") == true)
            let recent = try await ask(.post, Self.path, imagined(2))
            #expect(recent.body["notices"]?["lock.front_door"]?["missed"]?.array.count == 1)
            // A member may not read automations: their notifications are not shown either.
            let members = try await bens(.post, Self.path, imagined())
            #expect(members.body["notices"]?["lock.front_door"]?["kept"] == .null)
            #expect(members.body["response"]?.string?.contains("fewer") == false)
            let wrong = try await ask(.post, Self.path, imagined(32))
            #expect(wrong.status == 400 && wrong.body["error"]?["details"]?["field"] == "days")
        }
    }
}
