import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Crypto
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CardeaHub

/// A push service with scripted answers that records its messages.
private final class ScriptedPushSender: PushSender {
    let sent = AwaitableValue<[(words: [String: JSONValue], parcel: PushMessage)]>([])
    private let outcomes = Mutex<[PushResult]>([])

    func script(_ outcomes: PushResult...) { self.outcomes.withLock { $0 += outcomes } }

    func send(_ parcel: PushMessage, to address: PushAddress) async -> PushResult {
        let words: [String: JSONValue] =
            if let value = try? JSONDecoder().decode(JSONValue.self, from: parcel.text), case .object(let members) = value { members } else
            { [:] }
        sent.change { $0.append((words, parcel)) }
        return outcomes.withLock { $0.isEmpty ? .accepted : $0.removeFirst() }
    }
}

/// Push services of which one does not answer until released.
private final class HangingPushSender: PushSender {
    let host: String
    let isHanging = AwaitableValue(true)
    let waiting = AwaitableValue(0)

    init(host: String) { self.host = host }

    func send(_ parcel: PushMessage, to address: PushAddress) async -> PushResult {
        guard case .browser(let browser) = address, browser.service.hasSuffix(host) else { return .accepted }
        waiting.change { $0 += 1 }
        do { try await isHanging.waitUntil("it is let") { !$0 } } catch { return .retry(after: nil) }
        waiting.change { $0 -= 1 }
        return .accepted
    }
}

@Suite("Notifications and push delivery", .timeLimit(.minutes(5)))
struct NoticeTests {
    private func browser(_ name: String = "x", key: P256.KeyAgreement.PrivateKey = .init()) -> PushSubscriptions.BrowserDraft {
        PushSubscriptions.BrowserDraft(
            endpoint: "https://fcm.googleapis.com/fcm/send/\(name)", key: Base64URL.encode(key.publicKey.x963Representation),
            authentication: Base64URL.encode(Data(count: 16)))
    }

    @discardableResult
    private func record(_ house: TestHouse, _ type: String, source: String = "porch", by who: Principal) async throws -> Event {
        let draft = Events.Draft(source: source, type: type, occurredAt: house.clock.now)
        return try await house.hub.events.record(draft, by: who, call: nil, origin: .house).event
    }

    private func setPreferences(_ house: TestHouse, _ who: Principal, _ change: (inout NoticePreferences) -> Void) async throws {
        var preferences = NoticePreferences()
        change(&preferences)
        _ = try await house.hub.notices.change(preferences, of: "me", seen: .any, by: who, origin: .house)
    }

    @Test("A person at the door notifies every resident once, with push topics that do not reveal the incident")
    func told() async throws {
        try await TestHouse.open { house in
            let carrier = ScriptedPushSender()
            house.hub.notificationDispatcher.register(.browser, with: carrier)
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            _ = try await house.hub.pushSubscriptions.register(browser("owner"), by: owner, origin: .house)
            _ = try await house.hub.pushSubscriptions.register(browser("member"), by: member, origin: .house)

            let event = try await record(house, "person", by: owner)
            try await record(house, "person", by: owner)
            try await carrier.sent.waitUntil("it is carried") { $0.count == 2 }

            for (words, parcel) in carrier.sent.now {
                #expect(words["event_id"] == .string(event.id) && words["kind"] == "person" && words["place"] == "porch")
                #expect(parcel.eventID == event.id && parcel.urgency == .normal)
                #expect(parcel.topic?.contains("incident") == false && parcel.topic?.utf8.count == 32)
            }
            #expect(Set(carrier.sent.now.map(\.parcel.topic)).count == 2)
            try await waitUntil { try await house.hub.notices.page(of: owner).notices.first?.deliveries.first?.state == .taken }
            let page = try await house.hub.notices.page(of: owner)
            #expect(page.notices.count == 1 && page.unseen == 1 && page.notices.first?.eventID == event.id)
            #expect(page.notices.first?.deliveries.first?.service == "https://fcm.googleapis.com")

            let seen = try await house.hub.notices.acknowledge(try #require(page.notices.first?.id), by: owner, origin: .house)
            #expect(seen.acknowledgedAt == house.clock.now)
            #expect(try await house.hub.notices.page(of: owner).unseen == 0)
            #expect(try await house.hub.notices.page(of: member).unseen == 1)
            await #expect(throws: Notices.NoticeError.self) { try await house.hub.notices.acknowledge(seen.id, by: member, origin: .house) }
        }
    }

    @Test("A temperature notification uses each recipient's temperature unit")
    func degrees() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            var preferences = Preferences()
            preferences.temperatureUnit = .fahrenheit
            _ = try await house.hub.preferences.change(preferences, seen: .any, by: member, origin: .house)

            let data: [String: JSONValue] = [
                "notice": "unusual", "words": "Study shows 17 °C.", "words_in": ["fahrenheit": "Study shows 62.6 °F."],
            ]
            try await house.store.write {
                _ = try Journal.append(.mindChanged, subject: "memory_1", data: data, at: house.clock.now, in: $0)
            }
            for (who, words) in [(owner, "Study shows 17 °C."), (member, "Study shows 62.6 °F.")] {
                try await waitUntil { try await house.hub.notices.page(of: who).notices.count == 1 }
                #expect(try await house.hub.notices.page(of: who).notices.first?.fact.text == words)
            }
        }
    }

    @Test("A ring after a person event is delivered, and in quiet hours notifications are stored quietly")
    func ringAndNight() async throws {
        try await TestHouse.open { house in
            let carrier = ScriptedPushSender()
            house.hub.notificationDispatcher.register(.browser, with: carrier)
            let (owner, _) = try await house.claim()
            _ = try await house.hub.pushSubscriptions.register(browser(), by: owner, origin: .house)
            try await record(house, "person", by: owner)
            try await record(house, "ring", by: owner)
            try await carrier.sent.waitUntil("it is carried") { $0.map(\.words["kind"]) == ["person", "ring"] }

            try await setPreferences(house, owner) {
                $0.quietHours = TimeOfDay("00:00").map { PersonalQuietHours(hours: QuietHours(from: $0, to: $0), zone: .gmt) }
            }
            house.clock.advance(by: 3600)
            try await record(house, "person", by: owner)
            try await waitUntil { try await house.hub.notices.page(of: owner).notices.count == 3 }
            #expect(try await house.hub.notices.page(of: owner).notices.first?.isQuiet == true)
            #expect(carrier.sent.now.count == 2)
        }
    }

    @Test(
        "Pushes of one visit arrive in order: a ring waits for the person notification, and a failed one is not sent after it"
    )
    func lastWordOfAVisit() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            _ = try await house.hub.pushSubscriptions.register(browser(), by: owner, origin: .house)
            @Sendable func states() async throws -> [NoticeDeliveryStatus.State?] {
                try await house.hub.notices.page(of: owner).notices.map(\.deliveries.first?.state)
            }

            let hanging = HangingPushSender(host: "googleapis.com")
            house.hub.notificationDispatcher.register(.browser, with: hanging)
            try await record(house, "person", by: owner)
            try await hanging.waiting.waitUntil("the face hangs") { $0 == 1 }
            try await record(house, "ring", by: owner)
            try await record(house, "package", source: "gate", by: owner)
            // A report from another place is delivered in parallel.
            try await hanging.waiting.waitUntil("the package hangs too") { $0 == 2 }
            let held = try await states()
            #expect(held == [.waiting, .waiting, .waiting])
            hanging.isHanging.change { $0 = false }
            try await waitUntil { try await states() == [.taken, .taken, .taken] }

            let failing = ScriptedPushSender()
            failing.script(.retry(after: nil), .accepted)
            house.hub.notificationDispatcher.register(.browser, with: failing)
            house.clock.advance(by: 3600)
            try await record(house, "person", by: owner)
            try await failing.sent.waitUntil("the face fails") { $0.count == 1 }
            try await waitUntil { house.clock.isAwaited(house.clock.now.addingTimeInterval(2)) }
            house.clock.advance(by: 1)
            try await record(house, "ring", by: owner)
            try await waitUntil { try await states().first == .taken }
            house.clock.advance(by: 1)
            try await waitUntil { try await states().prefix(2) == [.taken, .givenUp] }
            #expect(failing.sent.now.map(\.words["kind"]) == ["person", "ring"])
        }
    }

    @Test("A guest request notifies approvers even in quiet hours, and an answer stops further notifications")
    func asked() async throws {
        try await TestHouse.open { house in
            let carrier = ScriptedPushSender()
            house.hub.notificationDispatcher.register(.browser, with: carrier)
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            let (admin, _) = try await house.resident("admin", role: "admin", by: owner)
            for (who, name) in [(owner, "owner"), (member, "member"), (admin, "admin")] {
                _ = try await house.hub.pushSubscriptions.register(browser(name), by: who, origin: .house)
            }
            guard case .person(let adminID, _) = admin else { return }
            try await setPreferences(house, owner) {
                $0.quietHours = TimeOfDay("00:00").map { PersonalQuietHours(hours: QuietHours(from: $0, to: $0), zone: .gmt) }
                $0.escalation = Escalation(after: 30, personID: adminID)
            }
            try await setPreferences(house, admin) { $0.kinds = [] }
            let (guest, _, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)

            let asking = try await house.submit(house.open(as: guest))
            try await carrier.sent.waitUntil("it is carried") { $0.count == 1 }
            #expect(carrier.sent.now.first?.words["command_id"] == .string(asking.id))
            #expect(carrier.sent.now.first?.parcel.eventID == nil && carrier.sent.now.first?.parcel.urgency == .high)
            #expect(try await house.hub.notices.page(of: member).notices.isEmpty)

            // Half a minute without an answer: the next one is notified.
            try await waitUntil { house.clock.isAwaited(house.clock.now.addingTimeInterval(30)) }
            house.clock.advance(by: 30)
            try await carrier.sent.waitUntil("it is carried") { $0.count == 2 }
            let passed = try #require(try await house.hub.notices.page(of: admin).notices.first)
            #expect(passed.isEscalated && passed.commandID == asking.id)

            // Answered: the next request is another one, and the first is not notified again.
            _ = try await house.hub.commands.decide(asking.id, approve: false, by: admin, origin: .house)
            let again = try await house.submit(house.open(as: guest))
            try await carrier.sent.waitUntil("it is carried") { $0.count == 3 }
            _ = try await house.hub.commands.decide(again.id, approve: false, by: owner, origin: .house)
            house.clock.advance(by: 31)
            try await house.hub.notificationDispatcher.planNotifications()
            #expect(try await house.hub.notices.page(of: admin).notices.count == 1)
        }
    }

    @Test("An acknowledged notification is not escalated")
    func acknowledged() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        guard case .person(let memberID, _) = member else { return }
        try await setPreferences(house, owner) { $0.escalation = Escalation(after: 60, personID: memberID) }
        try await setPreferences(house, member) { $0.kinds = [] }
        for acknowledges in [true, false] {
            house.clock.advance(by: 3600)
            try await record(house, "ring", by: owner)
            #expect(try await house.hub.notificationDispatcher.planNotifications() == house.clock.now.addingTimeInterval(60))
            let notice = try #require(try await house.hub.notices.page(of: owner).notices.first)
            if acknowledges { _ = try await house.hub.notices.acknowledge(notice.id, by: owner, origin: .house) }
            house.clock.advance(by: 60)
            #expect(try await house.hub.notificationDispatcher.planNotifications() == nil)
            #expect(try await house.hub.notices.page(of: member).notices.count == (acknowledges ? 0 : 1))
        }
        #expect(try await house.hub.notices.acknowledgeAll(by: owner, origin: .house) == 1)
        #expect(try await house.hub.notices.page(of: owner).unseen == 0)
    }

    @Test("An unavailable push service is retried with growing delays, a gone subscription is removed, a late notification given up")
    func tried() async throws {
        try await TestHouse.open { house in
            let carrier = ScriptedPushSender()
            house.hub.notificationDispatcher.register(.browser, with: carrier)
            let (owner, _) = try await house.claim()
            _ = try await house.hub.pushSubscriptions.register(browser(), by: owner, origin: .house)
            func delivery() async throws -> NoticeDeliveryStatus? {
                try await house.hub.notices.page(of: owner).notices.first?.deliveries.first
            }

            carrier.script(.retry(after: nil), .retry(after: 40), .accepted)
            try await record(house, "ring", by: owner)
            for (tries, wait) in [(1, 2.0), (2, 40.0)] {
                try await waitUntil {
                    try await delivery()?.tries == tries && house.clock.isAwaited(house.clock.now.addingTimeInterval(wait))
                }
                house.clock.advance(by: wait)
            }
            try await waitUntil { try await delivery()?.state == .taken }
            #expect(carrier.sent.now.count == 3)

            house.clock.advance(by: 3600)
            carrier.script(.retry(after: 3600))
            try await record(house, "ring", by: owner)
            try await waitUntil { try await delivery()?.tries == 1 && house.clock.isAwaited(house.clock.now.addingTimeInterval(3600)) }
            house.clock.advance(by: 3600)
            try await waitUntil { try await delivery()?.state == .givenUp }
            #expect(carrier.sent.now.count == 4)

            carrier.script(.gone)
            house.clock.advance(by: 3600)
            try await record(house, "ring", by: owner)
            try await waitUntil { try await delivery()?.state == .gone }
            #expect(try await house.hub.pushSubscriptions.all(of: owner).isEmpty)
        }
    }

    @Test("A subscription rejected five times in a row is removed")
    func refused() async throws {
        try await TestHouse.open { house in
            let carrier = ScriptedPushSender()
            house.hub.notificationDispatcher.register(.browser, with: carrier)
            let (owner, _) = try await house.claim()
            _ = try await house.hub.pushSubscriptions.register(browser(), by: owner, origin: .house)
            for round in 1...5 {
                #expect(try await house.hub.pushSubscriptions.all(of: owner).count == 1, "\(round)")
                carrier.script(.rejected(status: 403))
                house.clock.advance(by: 3600)
                try await record(house, "ring", by: owner)
                try await waitUntil {
                    let notices = try await house.hub.notices.page(of: owner).notices
                    return notices.count == round && notices.first?.deliveries.first?.state == .refused
                }
            }
            #expect(try await house.hub.pushSubscriptions.all(of: owner).isEmpty)
        }
    }

    @Test("A hanging push service uses at most six deliveries and does not delay other services")
    func hanging() async throws {
        try await TestHouse.open { house in
            let carrier = HangingPushSender(host: "fcm.googleapis.com")
            house.hub.notificationDispatcher.register(.browser, with: carrier)
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            _ = try await house.hub.pushSubscriptions.register(browser(), by: owner, origin: .house)
            let other = PushSubscriptions.BrowserDraft(
                endpoint: "https://updates.push.services.mozilla.com/x", key: browser().key, authentication: browser().authentication)
            _ = try await house.hub.pushSubscriptions.register(other, by: member, origin: .house)

            func taken(_ who: Principal) async throws -> Int {
                try await house.hub.notices.page(of: who).notices.count { $0.deliveries.first?.state == .taken }
            }

            for place in 1...20 { try await record(house, "ring", source: "bell \(place)", by: owner) }

            try await waitUntil { try await taken(member) == 20 }
            try await carrier.waiting.waitUntil("six hang") { $0 == 6 }
            carrier.isHanging.change { $0 = false }
            try await waitUntil { try await taken(owner) == 20 }
        }
    }

    @Test("A browser subscription lasts as long as its session and belongs to one person")
    func sessions() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let (first, isNew) = try await house.hub.pushSubscriptions.register(browser("one"), by: owner, origin: .house)
        let (again, isNewAgain) = try await house.hub.pushSubscriptions.register(browser("one"), by: owner, origin: .house)
        #expect(isNew && !isNewAgain && first.id == again.id && again.isCurrent)

        // The same browser, while the owner is signed in there: a member cannot take it over.
        await #expect(throws: PushSubscriptions.SubscriptionError.self) {
            try await house.hub.pushSubscriptions.register(browser("one"), by: member, origin: .house)
        }
        try await house.hub.sessions.logout(owner, origin: .house)
        let (theirs, _) = try await house.hub.pushSubscriptions.register(browser("one"), by: member, origin: .house)
        #expect(try await house.hub.pushSubscriptions.all(of: member).map(\.id) == [theirs.id])

        // A browser that subscribes again is still one browser.
        _ = try await house.hub.pushSubscriptions.register(browser("two"), by: member, origin: .house)
        #expect(try await house.hub.pushSubscriptions.all(of: member).count == 1)
        do {
            _ = try await house.hub.pushSubscriptions.register(
                .init(endpoint: "https://192.168.1.1/x", key: browser().key, authentication: browser().authentication), by: member,
                origin: .house)
            Issue.record("an address of digits is no push service")
        } catch PushSubscriptions.SubscriptionError.field(let field, let rule) {
            #expect(field == "subscription.endpoint" && rule.contains("DNS name") && rule.contains("--push-service"))
        }
        let text = try await house.store.read { try Data.fetchAll($0, sql: "SELECT sealed FROM push_subscriptions") }
        #expect(text.allSatisfy { $0.range(of: Data("fcm.googleapis".utf8)) == nil })
    }

    @Test("An app subscription is valid only on the phone it was paired on")
    func phones() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let phone = try house.phone("Phone")
        let (_, tokens) = try await house.paired(phone, by: owner)
        let who = try await house.hub.sessions.authenticate(tokens.access)
        let token = String(repeating: "0f", count: 32)
        let (seen, isNew) = try await house.hub.pushSubscriptions.register(
            .init(token: token, deviceID: phone.deviceID, keys: nil), by: who, origin: .house)
        #expect(isNew && seen.channel == .apple && seen.service == "apns")
        for (token, deviceID, principal) in [
            (token, UUID().uuidString, who), (token, phone.deviceID, owner), ("0f", phone.deviceID, who),
            (token + "0", phone.deviceID, who),
        ] {
            await #expect(throws: PushSubscriptions.SubscriptionError.self) {
                try await house.hub.pushSubscriptions.register(
                    .init(token: token, deviceID: deviceID, keys: nil), by: principal, origin: .house)
            }
        }
        try await house.hub.pushSubscriptions.removeOwn(by: who, origin: .house)
        await #expect(throws: PushSubscriptions.SubscriptionError.self) {
            try await house.hub.pushSubscriptions.removeOwn(by: who, origin: .house)
        }
    }

    @Test("Each notification is created once across hub restarts")
    func once() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let house = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        let (owner, _) = try await house.claim()
        for number in 0..<600 { try await record(house, "ring", source: "bell \(number)", by: owner) }
        try await house.hub.notificationDispatcher.planNotifications()
        let next = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        try await next.hub.notificationDispatcher.planNotifications()
        try await record(next, "ring", source: "bell", by: owner)
        try await next.hub.notificationDispatcher.planNotifications()
        let count = try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notices") }
        #expect(count == 601)
    }

    // Notifications were once planned from data read before their transaction. A person erased in between was named.
    @Test("A notification planned during an erasure does not name the erased person")
    func erasedBefore() async throws {
        try await PersonalDataTraces.withFolder { folder in
            let house = try await TestHouse.make(store: Store(folder: folder))
            let (owner, _) = try await house.claim()
            func say(_ words: String, on occasion: String) async throws {
                let now = house.clock.now
                _ = try await house.store.write { db in
                    try Journal.append(
                        .mindChanged, subject: occasion, data: ["notice": "automation", "words": .string(words)], at: now, in: db)
                }
            }
            let time = house.clock.environment
            var erasing = time
            // The state that an erasure leaves, just before the notification.
            let other = try DatabaseQueue(path: folder.appending(path: "house.sqlite").path)
            erasing.now = {
                do {
                    try other.write { try $0.execute(sql: "UPDATE journal SET subject = NULL, data = '{}' WHERE kind = 'mind_changed'") }
                } catch { Issue.record(error) }
                return time.now()
            }

            try await say("Wilhelmina has come home.", on: "1")
            #expect(try await !NotificationPlanner(store: house.store, environment: erasing).processJournal())
            try await say("Somebody has come home.", on: "2")
            #expect(try await !NotificationPlanner(store: house.store, environment: time).processJournal())

            let told = try await house.hub.notices.page(of: owner).notices
            #expect(told.compactMap(\.fact.text) == ["Somebody has come home."])
        }
    }

    @Test("The VAPID key is created once and kept across restarts")
    func identity() async throws {
        let (store, sealing) = (try Store.inMemory(), SealingKey.random())
        let first = try await TestHouse.make(store: store, sealing: sealing).hub.pushSubscriptions.publicKey
        #expect(try await TestHouse.make(store: store, sealing: sealing).hub.pushSubscriptions.publicKey == first)
    }
}
