import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@Suite("Activity log and access explanations", .timeLimit(.minutes(10)))
struct ActivityAndExplanationTests {
    @Test("People managers see all activity; other people see only their own attempts and what was done about them")
    func activity() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            _ = try await house.run(house.unlock(as: owner))
            _ = try await house.run(house.unlock("back-door", as: member))

            let all = try await house.hub.activity.entries(.init(), seenBy: owner)
            #expect(all.prefix(2).map(\.deviceID) == ["back-door", "front-door"])
            #expect(Set(all.compactMap(\.whoName)) == ["owner", "member"])
            let own = try await house.hub.activity.entries(.init(), seenBy: member)
            #expect(own.filter { $0.whoName != "member" }.map { [$0.whoName, $0.action] } == [["owner", "people.invite"]])
            #expect(own.first?.result == "confirmed")
            #expect(try await house.hub.activity.entries(.init(deviceID: "front-door"), seenBy: member).isEmpty)
            await #expect(throws: People.PersonError.self) {
                try await house.hub.activity.entries(.init(), seenBy: .guest(id: "guest_nobody"))
            }
        }
    }

    @Test("A person can explain their own access; explaining other people's access requires managing keys")
    func explaining() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        guard case .person(let ownerID, _) = owner, case .person(let memberID, _) = member else { return }
        _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
        func explain(
            person: String? = nil, guest: String? = nil, device: String = "front-door", entity: String? = nil, verb: Verb = .unlock,
            by principal: Principal
        ) async throws -> Gate.Decision {
            try await house.hub.accessExplainer.explain(
                .init(guestID: guest, personID: person, deviceID: device, entityID: entity, verb: verb, at: nil, isLocal: true),
                by: principal
            ).decision
        }

        #expect(try await explain(person: memberID, by: member) == .deny(.securityDevice))
        #expect(try await explain(person: memberID, by: owner) == .deny(.securityDevice))
        #expect(try await explain(person: ownerID, entity: "lock.front_door", by: owner) == .allow)
        await #expect(throws: People.PersonError.self) { try await explain(person: ownerID, by: member) }
        for (problem, ask) in [
            ("nobody", (person: "person_nobody", device: "front-door", verb: Verb.unlock)), ("noDevice", (ownerID, "nowhere", .unlock)),
            ("unsupported", (ownerID, "front-door", .on)),
        ] {
            await #expect {
                try await explain(person: ask.person, device: ask.device, verb: ask.verb, by: owner)
            } throws: { error in
                switch error {
                case AccessExplainer.ExplanationError.grantNotFound: problem == "nobody"
                case AccessExplainer.ExplanationError.deviceNotFound: problem == "noDevice"
                case AccessExplainer.ExplanationError.unsupported(.on): problem == "unsupported"
                default: false
                }
            }
        }
    }

    @Test("An idempotent response is replayed only to its caller and for the same request, and expires after 24 hours")
    func keptAnswers() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let call = IdempotencyKey(key: "k", method: "POST", path: "/", body: Data("a".utf8))
        #expect(try await house.hub.idempotentResponses.find(call, by: owner) == nil)

        try await house.hub.idempotentResponses.save(Data("done".utf8), call, by: owner)

        #expect(try await house.hub.idempotentResponses.find(call, by: owner) == Data("done".utf8))
        #expect(try await house.hub.idempotentResponses.find(call, by: .guest(id: "guest_nobody")) == nil)
        let other = IdempotencyKey(key: "k", method: "POST", path: "/", body: Data("b".utf8))
        await #expect(throws: IdempotencyKeyReusedError.self) { try await house.hub.idempotentResponses.find(other, by: owner) }
        house.clock.advance(by: 24 * 3600)
        #expect(try await house.hub.idempotentResponses.find(call, by: owner) == nil)
    }
}
