import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Webhooks of doorbells and cameras", .timeLimit(.minutes(10)))
struct IncomingWebhookTests {
    private func ring(
        _ house: TestHouse, _ secret: Secret, type: String? = nil, body: Data = Data()
    ) async throws -> IncomingWebhooks.Outcome {
        let webhook = try await house.hub.webhooks.find(secret, origin: .house)
        return try await house.hub.webhooks.report(IncomingWebhookRequest(type: type, contentType: "image/jpeg", body: body), by: webhook)
    }

    private func events(_ house: TestHouse, _ owner: Principal) async throws -> [Event] {
        try await house.hub.events.page(.init(), limit: 100, seenBy: owner).events
    }

    @Test("A webhook records events of its device, stores its secret as a hash, and reports nothing after revocation")
    func life() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (webhook, secret) = try await house.hub.webhooks.create(
            .init(name: "Bell", make: "doorbird", cameraID: "front-door"), by: owner, origin: .house)
        let (_, other) = try await house.hub.webhooks.create(.init(name: "Yard", make: "axis", type: "motion"), by: owner, origin: .house)

        #expect(Base64URL.decode(secret.reveal())?.count == 16)
        #expect(try await ring(house, secret) == .recorded)
        #expect(try await ring(house, other) == .recorded)
        let seen = try await events(house, owner)
        #expect(Set(seen.map(\.cameraName)) == ["Front door", "Yard"] && Set(seen.map(\.type)) == [.ring, .motion])
        #expect(try await house.hub.webhooks.all(seenBy: owner).map(\.webhook.lastUsedAt) == [house.clock.now, house.clock.now])
        let kept = try await house.store.read { try Data.fetchAll($0, sql: "SELECT hash FROM webhooks ORDER BY id") }
        #expect(Set(kept) == [secret.digest, other.digest])

        try await house.hub.webhooks.revoke(webhook.id, by: owner, origin: .house)

        house.clock.advance(by: 60)
        await #expect(throws: IncomingWebhooks.WebhookError.self) { try await ring(house, secret) }
        // A caller admitted before the revocation that sends the rest now is too late.
        await #expect(throws: People.PersonError.self) { try await house.hub.webhooks.report(IncomingWebhookRequest(), by: webhook) }
        #expect(try await ring(house, other) == .recorded)
        #expect(try await house.hub.webhooks.all(seenBy: owner).map(\.webhook.name) == ["Yard"])
        await #expect(throws: IncomingWebhooks.WebhookError.self) {
            try await house.hub.webhooks.revoke(webhook.id, by: owner, origin: .house)
        }
    }

    @Test("A repeated webhook report is one event, too many are refused, and reports are accepted again later")
    func throttled() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (_, secret) = try await house.hub.webhooks.create(.init(name: "Bell", make: "generic"), by: owner, origin: .house)

        for _ in 0..<40 {
            _ = try await ring(house, secret, type: "motion")
            house.clock.advance(by: 1)
        }
        #expect(try await events(house, owner).count == 1)
        var refused = 0
        for number in 0..<35 {
            do { _ = try await ring(house, secret, type: "kind\(number)") } catch IncomingWebhooks.WebhookError.tooMany { refused += 1 }
        }
        #expect(try await events(house, owner).count == 30 && refused == 6)
        #expect(try await house.hub.webhooks.all(seenBy: owner).map(\.refused) == [6])
        house.clock.advance(by: 61)
        #expect(try await ring(house, secret) == .recorded)
        #expect(try await ring(house, secret) == .duplicate)
        house.clock.advance(by: 2)
        #expect(try await ring(house, secret) == .recorded)
    }

    @Test("Wrong webhook secrets throttle the caller and do not block a valid secret")
    func guesses() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (_, secret) = try await house.hub.webhooks.create(.init(name: "Bell", make: "generic"), by: owner, origin: .house)
        var slowed = 0
        for _ in 0..<40 {
            do {
                _ = try await house.hub.webhooks.find(SecretGenerator.webhookSecret(), origin: .house)
                Issue.record("a secret that nobody made was taken")
            } catch IncomingWebhooks.WebhookError.tooMany { slowed += 1 } catch IncomingWebhooks.WebhookError.notFound {}
        }
        #expect(slowed == 10)
        #expect(try await ring(house, secret) == .recorded)
    }

    @Test("A webhook event is recorded even when its picture is rejected", arguments: [true, false])
    func picture(isGood: Bool) async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(
                store: .inMemory(), events: EventSettings(pictures: folder, maker: PassthroughPictureMaker()))
            let (owner, _) = try await house.claim()
            let (_, secret) = try await house.hub.webhooks.create(.init(name: "Bell", make: "hikvision"), by: owner, origin: .house)

            _ = try await ring(house, secret, body: isGood ? smallestJPEG : Data("GIF89a".utf8))

            let seen = try await events(house, owner)
            #expect(seen.map(\.hasPicture) == [isGood] && seen.map(\.pictureProblem) == [isGood ? nil : .notJPEG])
        }
    }

    @Test("Webhooks can be created only for existing cameras and devices and known makes")
    func places() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        await #expect(throws: IncomingWebhooks.WebhookError.self) {
            try await house.hub.webhooks.create(.init(name: "Bell", make: "axis", cameraID: "nowhere"), by: owner, origin: .house)
        }
        for (name, make, type) in [("", "axis", "ring"), ("Bell", "acme", "ring"), ("Bell", "axis", "not a word")] {
            await #expect(throws: IncomingWebhooks.WebhookError.self) {
                try await house.hub.webhooks.create(.init(name: name, make: make, type: type), by: owner, origin: .house)
            }
        }
        #expect(try await house.hub.webhooks.all(seenBy: owner).isEmpty)
    }
}
