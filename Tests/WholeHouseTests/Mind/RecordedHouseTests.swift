import CardeaHTTP
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

@Suite("API over the recorded month", .timeLimit(.minutes(10)))
struct RecordedHouseTests {
    @Test("Labelled questions over HTTP get the same, correct answers as in the mind")
    func asked() async throws {
        try await TestHouse.open(clock: ManualClock(RecordedHouse.now), doorCount: 0) { house in
            let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            try await application.test(.router) { client in
                let (lived, tokens) = try await populate(to: house)
                var asked = 0
                let all = LabelledQuestion.all(of: lived)
                // The mind's own tests send all questions: in the gate a sample shows that the wire gives the same. An odd step reaches
                // every requester, because they alternate.
                let step = TestRepetitions.isFull ? 1 : all.count / 130 | 1
                for number in stride(from: 0, to: all.count, by: step) {
                    let question = all[number]
                    // An admin gets the owner's answers: a part of their questions shows that the wire knows them.
                    let isPart = question.asker != .admin || (number / step).isMultiple(of: 5)
                    guard isPart, let token = tokens[question.asker] else { continue }
                    let body = JSONValue.object([
                        "query": .string(question.sentence), "context": .object(["conversation": .string("asked \(number)")]),
                    ])
                    let headers: HTTPFields = [.authorization: "Bearer \(token.reveal())", .contentType: "application/json"]
                    let buffer = ByteBuffer(data: try JSONEncoder().encode(body))
                    let sent = try await client.executeRequest(
                        uri: "/api/v1/consciousness/query", method: .post, headers: headers, body: buffer)
                    if question.sentence.isEmpty {
                        // An empty question is refused by the contract, before the mind reads it.
                        #expect(sent.status == .badRequest)
                        continue
                    }
                    asked += 1
                    let wire = try JSONDecoder().decode(JSONValue.self, from: Data(buffer: sent.body))
                    // The same again from the mind itself, with its evidence.
                    let reply = try await house.mind.answer(
                        question.sentence, in: "again \(number)", seenBy: lived.visibility(of: question.asker))
                    for problem in question.problems(with: reply, in: lived) {
                        Issue.record(
                            "\(question.asker): “\(question.sentence)” → “\(reply.response)” (\(reply.confidence)): \(problem)")
                    }
                    #expect(wire["response"]?.string == reply.response && wire["confidence"]?.number == reply.confidence)
                    #expect(
                        wire["context"]?["events"]?.array.compactMap(\.string) == Array(reply.events.prefix(200)), "\(question.sentence)")
                    #expect(wire["context"]?["devices"]?.array.compactMap(\.string) == reply.devices, "\(question.sentence)")
                    #expect(wire["suggested_actions"]?.array.compactMap { $0["words"]?.string } == reply.suggestions.map(\.words))
                }
                #expect(asked >= TestRepetitions.of(80, full: 900))
            }
        }
    }

    // MARK: Setup

    /// Turns a house into the recorded one: its rooms and devices, its people, and its month.
    private func populate(to house: TestHouse) async throws -> (RecordedHouse, [RecordedHouse.Asker: Secret]) {
        let (record, hub) = (RecordedHouse.shared, house.hub)
        var keys = RecordedHouse.Keys()
        let (ada, tokens) = try await house.claim(username: "ada")
        let (ben, benTokens) = try await house.resident("ben", role: "member", by: ada)
        let (cleo, cleoTokens) = try await house.resident("cleo", role: "member", by: ada)
        let (dan, danTokens) = try await house.resident("dan", role: "admin", by: ada)
        var ids: [String] = []
        for person in [ada, ben, cleo, dan] { ids.append(try await hub.mindFeed.requester(person).id) }
        (keys.ada, keys.ben, keys.cleo, keys.dan) = ("person:\(ids[0])", "person:\(ids[1])", "person:\(ids[2])", "person:\(ids[3])")
        _ = try await hub.people.change(
            ids[1], .init(name: nil, role: nil, canInviteGuests: true, disabled: nil), by: ada, origin: .house)
        for id in ["hall-light", "hall-sensor"] { try await hub.devices.remove(id, by: ada, origin: .house) }
        for room in record.snapshot.rooms {
            let added = try await hub.rooms.add(room.traits, position: nil, by: ada, call: nil, origin: .house).0
            #expect(added.id == room.id)
        }
        for device in record.snapshot.devices {
            var device = device
            device.integration = "scripted"
            try await hub.devices.announce(device)
        }
        for name in ["Greta", "Paul"] {
            var draft = house.draft()
            draft.name = name
            let id = try await hub.guests.invite(draft, by: ada, call: nil, origin: .house).codes.guestID
            if name == "Greta" { keys.greta = "guest:\(id)" } else { keys.paul = "guest:\(id)" }
        }
        for name in ["Good night", "Movie time"] {
            let actions = [CommandBatches.Item(deviceID: "front-door", action: "lock")]
            let scene = try await hub.scenes.add(.init(name: name, icon: nil, actions: actions), by: ada, call: nil, origin: .house).0
            if name == "Good night" { keys.goodNight = scene.id }
        }
        try await replay(record, as: keys, in: house)
        let told = MemoryDraft(type: .semantic, content: "The boiler was serviced by the plumber")
        _ = try await house.mind.addMemory(
            told, id: "memory_boiler", by: MemoryRequester(try await hub.mindFeed.requester(ada)),
            record: hub.mindFeed.recorder("memory.add", by: ada, origin: .house))
        await house.mind.poll(isAsked: true)
        let lived = try await record.imported(as: houseEvents(house), snapshot: snapshot(hub), keys: keys)
        return (lived, [.owner: tokens.access, .admin: danTokens.access, .inviter: benTokens.access, .member: cleoTokens.access])
    }

    private func replay(_ record: RecordedHouse, as keys: RecordedHouse.Keys, in house: TestHouse) async throws {
        let old = RecordedHouse.Keys()
        let names = [
            old.ada: keys.ada, old.ben: keys.ben, old.cleo: keys.cleo, old.dan: keys.dan, old.greta: keys.greta, old.paul: keys.paul,
        ]
        let told = record.events.map { one in
            ReportedHouseEvent(
                HouseEvent(
                    id: "", at: one.at, deviceID: one.deviceID, entityID: one.entityID, actor: one.actor.flatMap { names[$0] },
                    fact: one.fact), source: "past:\(one.id)")
        }
        _ = try await house.mind.eventStore.importEvents(told)
        let presences = told.map(\.event).compactMap { one -> (String, Person.Presence)? in
            guard case .presence(let isHome) = one.fact, let actor = one.actor else { return nil }
            return (String(actor.dropFirst("person:".count)), Person.Presence(isHome: isHome, since: one.at))
        }
        try await house.hub.people.importPresences(Dictionary(presences) { _, last in last })
        for (entity, readings) in record.readings {
            _ = try await house.hub.readings.importReadings(readings.map { .init(entityID: entity, at: $0.at, value: $0.value) })
        }
        try await house.hub.readings.condenseImported()
    }

    /// All events in the mind's memory, oldest first.
    private func houseEvents(_ house: TestHouse) async throws -> [HouseEvent] {
        let whole = RequesterVisibility(key: "test", seesEverybody: true, seesGuests: true)
        var (found, seen, from): ([HouseEvent], Set<String>, Date?) = ([], [], nil)
        while true {
            let page = try await house.mind.eventStore.events(.init(from: from, newestFirst: false, limit: 1000), seenBy: whole)
            let fresh = page.filter { seen.insert($0.id).inserted }
            found += fresh
            guard page.count == 1000, !fresh.isEmpty else { return found }
            from = page.last?.at
        }
    }

    private func snapshot(_ hub: Hub) async throws -> HouseSnapshot {
        let view = try await hub.mindFeed.snapshot()
        return HouseSnapshot(
            name: view.name, zone: view.zone, rooms: view.rooms, devices: view.devices,
            people: view.people.map { Inhabitant(key: "person:\($0.id)", name: $0.name, isHome: $0.presence?.isHome) },
            guests: view.guests.map { Inhabitant(key: "guest:\($0.id)", name: $0.name) })
    }
}
