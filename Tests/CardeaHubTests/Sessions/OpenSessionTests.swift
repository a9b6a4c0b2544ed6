import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

private let firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

@Suite("A person's own sessions", .serialized)
struct OpenSessionTests {
    private func login(_ house: TestHouse, _ name: String = "owner", from remote: String? = nil, agent: String? = nil) async throws
        -> SessionTokens
    {
        let origin = RequestOrigin(remote: remote, isLocal: remote.map(LocalNetwork.contains) ?? true, requestID: nil, agent: agent)
        return try await house.hub.sessions.login(username: name, password: TestHouse.password, origin: origin)
    }

    @Test("The session list shows device, address, times and the current session")
    func list() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        house.clock.advance(by: 60)
        let abroad = try await login(house, from: "203.0.113.7", agent: firefox)
        house.clock.advance(by: 60)
        _ = try await house.hub.sessions.authenticate(abroad.access)

        let seen = try await house.hub.sessions.open(seenBy: owner)
        #expect(seen.map(\.device) == ["Firefox on Linux", "Unknown device"])
        #expect(seen.map(\.address) == ["203.0.113.7", nil] && seen.map(\.isLocal) == [false, true])
        #expect(seen.map(\.isCurrent) == [false, true] && seen.map(\.signedInBy) == [.password, .claim])
        #expect(seen[0].createdAt == house.clock.now.addingTimeInterval(-60) && seen[0].lastUsedAt == house.clock.now)
    }

    @Test("An ended session is refused from the next request on, and another person's session cannot be ended")
    func end() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, tokens) = try await house.claim()
        let (member, theirs) = try await house.resident("member", role: "member", by: owner)
        let other = try await login(house)
        let id = try #require(try await house.hub.sessions.open(seenBy: owner).first { !$0.isCurrent }?.id)
        let memberSession = try #require(try await house.hub.sessions.open(seenBy: member).first?.id)

        for (session, who) in [(id, member), (memberSession, owner), ("session_none", owner)] {
            await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.end(session, by: who, origin: .house) }
        }
        _ = try await house.hub.sessions.authenticate(theirs.access)
        try await house.hub.sessions.end(id, by: owner, origin: .house)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(other.access) }
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.refresh(other.refresh, origin: .house) }
        _ = try await house.hub.sessions.authenticate(tokens.access)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.end(id, by: owner, origin: .house) }
    }

    @Test("Ending all sessions keeps the current one unless requested otherwise")
    func endAll() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, tokens) = try await house.claim()
        for _ in 0..<3 { _ = try await login(house) }
        #expect(try await house.hub.sessions.endAll(keepCurrent: true, by: owner, origin: .house) == 3)
        _ = try await house.hub.sessions.authenticate(tokens.access)
        #expect(try await house.hub.sessions.endAll(keepCurrent: false, by: owner, origin: .house) == 1)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
    }

    @Test("People managers can list and end another person's sessions; members cannot, and admins cannot end an owner's")
    func managed() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (admin, _) = try await house.resident("admin", role: "admin", by: owner)
        let (member, tokens) = try await house.resident("member", role: "member", by: owner)
        guard case .person(let ownerID, _) = owner, case .person(let memberID, _) = member else { return }
        let session = try #require(try await house.hub.sessions.open(of: memberID, seenBy: admin).first)
        #expect(!session.isCurrent)
        await #expect(throws: People.PersonError.self) { try await house.hub.sessions.open(of: ownerID, seenBy: admin) }
        await #expect(throws: People.PersonError.self) { try await house.hub.sessions.open(of: ownerID, seenBy: member) }
        await #expect(throws: People.PersonError.self) { try await house.hub.sessions.endAll(of: ownerID, by: admin, origin: .house) }
        try await house.hub.sessions.end(session.id, of: memberID, by: admin, origin: .house)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
        _ = try await login(house, "member")
        #expect(try await house.hub.sessions.endAll(of: memberID, by: owner, origin: .house) == 1)
        let entries = try await house.hub.activity.entries(.init(), seenBy: owner)
        #expect(entries.contains { $0.action == "session.end" } && entries.contains { $0.action == "session.revoke_all" })
    }

    @Test("No request succeeds after a session was ended during use")
    func atOnce() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (who, _) = try await house.resident("member", role: "member", by: owner)
        guard case .person(let memberID, _) = who else { return }
        let tokens = try await house.hub.sessions.refresh(login(house, "member").refresh, origin: .house)
        var latest = tokens
        for _ in 0..<20 {
            let access = latest.access
            async let asked: Void = {
                for _ in 0..<50 { _ = try? await house.hub.sessions.authenticate(access) }
            }()
            _ = try await house.hub.sessions.endAll(of: memberID, by: owner, origin: .house)
            await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(latest.access) }
            await asked
            latest = try await login(house, "member")
        }
    }
}

@Suite("Step-up", .serialized)
struct StepUpTests {
    @Test("Five minutes after sign-in, changes to guests, people, passkeys, codes, tokens and sessions require a step-up")
    func demanded() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, tokens) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        guard case .person(let memberID, _) = member, case .person(let ownerID, _) = owner else { return }
        let hub = house.hub
        let party = RelyingParty(id: "localhost", origins: ["http://localhost"])
        let draft = house.draft()
        let (guest, _) = try await hub.guests.invite(draft, by: owner, call: nil, origin: .house)
        let asks: [(String, @Sendable () async throws -> Void)] = [
            ("guest", { _ = try await hub.guests.invite(draft, by: owner, call: nil, origin: .house) }),
            ("code", { _ = try await hub.guests.newCode(for: guest.guestID, by: owner, origin: .house) }),
            ("invite", { _ = try await hub.people.invite(name: "New", role: "member", by: owner, call: nil, origin: .house) }),
            (
                "role",
                {
                    _ = try await hub.people.change(
                        memberID, .init(name: nil, role: "admin", canInviteGuests: nil, disabled: nil), by: owner, origin: .house)
                }
            ),
            ("passkey", { _ = try await hub.passkeys.creationOptions(at: party, by: owner, origin: .house) }),
            ("codes", { _ = try await hub.recoveryCodes.make(by: owner, origin: .house) }),
            (
                "token",
                { _ = try await hub.apiTokens.make(.init(name: "x", items: nil, role: nil, expiresAt: nil), by: owner, origin: .house) }
            ),
            ("sessions", { _ = try await hub.sessions.endAll(of: memberID, by: owner, origin: .house) }),
            ("all", { _ = try await hub.sessions.endAll(keepCurrent: true, by: owner, origin: .house) }),
            ("remove", { try await hub.people.remove(memberID, by: owner, origin: .house) }),
        ]
        func expectAsked(_ comment: String, without gone: [String] = []) async throws {
            for (name, ask) in asks where !gone.contains(name) {
                do {
                    try await ask()
                    Issue.record("\(name) was done \(comment)")
                } catch Sessions.SessionError.stepUpRequired {}
            }
        }
        house.clock.advance(by: 300)
        // Refreshing a token is no step-up.
        _ = try await hub.sessions.refresh(tokens.refresh, origin: .house)
        try await expectAsked("unproven")
        _ = try await hub.people.change(
            ownerID, .init(name: "New name", role: nil, canInviteGuests: nil, disabled: nil), by: owner, origin: .house)
        _ = try await hub.sessions.open(seenBy: owner)

        await #expect(throws: People.PersonError.self) {
            try await hub.sessions.stepUp(password: Secret("wrong one"), by: owner, origin: .house)
        }
        try await expectAsked("after a wrong password")
        #expect(
            try await hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
                == house.clock.now.addingTimeInterval(300))
        house.clock.advance(by: 299)
        for (_, ask) in asks { try await ask() }
        house.clock.advance(by: 1)
        try await expectAsked("when the five minutes were over", without: ["role", "sessions", "remove"])
    }

    @Test("A step-up applies to its session only, and a clock set back does not extend it")
    func perSession() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let other = try await house.hub.sessions.authenticate(
            house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house).access)
        house.clock.advance(by: 301)
        _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
        _ = try await house.hub.recoveryCodes.make(by: owner, origin: .house)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.recoveryCodes.make(by: other, origin: .house) }
        // A clock set back does not extend it.
        house.clock.jump(to: house.clock.now.addingTimeInterval(-3600))
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.recoveryCodes.make(by: owner, origin: .house) }
    }

    @Test("Password guesses in a step-up are throttled")
    func guessing() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        for _ in 0..<6 {
            await #expect(throws: People.PersonError.self) {
                try await house.hub.sessions.stepUp(password: Secret("wrong one"), by: owner, origin: .house)
            }
        }
        do {
            _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
            Issue.record("the seventh guess was heard at once")
        } catch Sessions.SessionError.throttled {}
        house.clock.advance(by: 2)
        _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
    }

    @Test("Guesses from other addresses do not block the owner's known address, passkey or recovery code")
    func noise() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let home = RequestOrigin(remote: "192.168.1.5", isLocal: true, requestID: nil)
        _ = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: home)
        let codes = try await house.hub.recoveryCodes.make(by: owner, origin: .house)
        for number in 0..<40 {
            let origin = RequestOrigin(remote: "203.0.113.\(number % 4)", isLocal: false, requestID: nil)
            _ = try? await house.hub.sessions.login(username: "owner", password: Secret("wrong one"), origin: origin)
        }
        _ = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: home)
        _ = try await house.hub.recoveryCodes.login(
            codes[0].reveal(), origin: RequestOrigin(remote: "198.51.100.1", isLocal: false, requestID: nil))
    }
}

@Suite("Refresh under lost responses and crashes", .serialized)
struct RefreshTokenSimulationTests {
    /// A client with one refresh token, while the network and the hub fail around it.
    private struct Client {
        var held: Secret
        /// Its replaced tokens, with their times.
        var old: [(token: Secret, at: Date)] = []
        var isOver = false
    }

    @Test(
        "Under lost responses, crashes and concurrency, over 99.9 % of refreshes succeed and every token copy is caught",
        arguments: TestSeed.values(1..<5 as Range<UInt64>))
    func everythingLost(seed: UInt64) async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        var house = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        let (_, first) = try await house.claim()
        var random = SeededRandom(seed: seed)
        var clients = [Client(held: first.refresh)]
        for _ in 0..<7 {
            let tokens = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
            clients.append(Client(held: tokens.refresh))
        }
        var (honest, kept, copies, caught) = (0, 0, 0, 0)

        let rounds = TestRepetitions.of(80, full: 400)
        for _ in 0..<rounds {
            clock.advance(by: TimeInterval(random.below(7200)))
            let index = random.below(clients.count)
            switch random.below(20) {
            case 0..<8:
                honest += 1
                guard let next = try? await house.hub.sessions.refresh(clients[index].held, origin: .house) else { continue }
                kept += 1
                Self.receive(next.refresh, &clients[index], clock.now)
            case 8..<13:
                // The answer is lost once or more, and the client repeats the request within half a minute.
                honest += 1
                for _ in 0...random.below(3) { _ = try? await house.hub.sessions.refresh(clients[index].held, origin: .house) }
                clock.advance(by: TimeInterval(random.below(30)))
                guard let next = try? await house.hub.sessions.refresh(clients[index].held, origin: .house) else { continue }
                kept += 1
                Self.receive(next.refresh, &clients[index], clock.now)
            case 13..<16:
                // The hub is killed between the commit and the answer, and restarts from the disk.
                honest += 1
                _ = try? await house.hub.sessions.refresh(clients[index].held, origin: .house)
                house = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
                guard let next = try? await house.hub.sessions.refresh(clients[index].held, origin: .house) else { continue }
                kept += 1
                Self.receive(next.refresh, &clients[index], clock.now)
            case 16..<18:
                honest += 1
                let (sessions, held) = (house.hub.sessions, clients[index].held)
                let answers = await withTaskGroup(of: String?.self) { group in
                    for _ in 0..<8 { group.addTask { try? await sessions.refresh(held, origin: .house).refresh.reveal() } }
                    return await group.reduce(into: [String?]()) { $0.append($1) }
                }
                guard Set(answers).count == 1, let next = answers.first ?? nil else { continue }
                kept += 1
                Self.receive(Secret(next), &clients[index], clock.now)
            default:
                // A thief has a copy of a token that this client replaced: any but the last, at any time, and the last after half a minute.
                guard let copy = Self.copy(of: clients[index], at: clock.now, &random) else { continue }
                copies += 1
                do {
                    _ = try await house.hub.sessions.refresh(copy, origin: .house)
                } catch Sessions.SessionError.reused {
                    caught += 1
                }
                await #expect(throws: Sessions.SessionError.self) {
                    try await house.hub.sessions.refresh(clients[index].held, origin: .house)
                }
                let again = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
                clients[index] = Client(held: again.refresh)
            }
        }

        #expect(copies >= rounds / 25 && caught == copies, "\(caught) of \(copies) copies were caught")
        #expect(honest > rounds * 5 / 8 && Double(kept) > 0.999 * Double(honest), "\(kept) of \(honest) stayed signed in")
    }

    private static func receive(_ next: Secret, _ client: inout Client, _ now: Date) {
        client.old.append((client.held, now))
        client.held = next
    }

    private static func copy(of client: Client, at now: Date, _ random: inout SeededRandom) -> Secret? {
        var known = client.old
        // The very last one may still be used for half a minute: that is its grace period.
        if let last = known.last, now.timeIntervalSince(last.at) <= 30 { known.removeLast() }
        // Tokens older than thirty days are no longer known.
        known.removeAll { now.timeIntervalSince($0.at) > 20 * 86_400 }
        return known.isEmpty ? nil : known[random.below(known.count)].token
    }

    private struct SeededRandom {
        private var state: UInt64

        init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

        mutating func below(_ count: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(max(count, 1)))
        }
    }
}
