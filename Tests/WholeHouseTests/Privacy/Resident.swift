import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import Testing

/// Somebody of a house that dice furnish, and the words that they leave in it, which nobody could guess.
struct Resident {
    let who: Principal
    let id: String
    let role: Role
    let username: String
    let origin: Origin
    /// What is theirs, by what it stands for.
    private(set) var own: [String: String] = [:]
    /// What they put down of the house's: it is everybody's who lives there.
    private(set) var shared: [String: String] = [:]
    /// What nobody takes away.
    private(set) var secret: [String: String] = [:]
    private(set) var deeds: Set<Deed> = []

    /// A word that is nobody else's.
    static func word() -> String { "k" + Minting.randomBytes(9).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }

    /// Where somebody asks from: an address in a network that nobody else has.
    static func place() -> Origin {
        let address = Minting.randomBytes(6).map { String($0 | 0x10, radix: 16) }
        let groups = stride(from: 0, to: 6, by: 2).map { address[$0] + address[$0 + 1] }
        let remote = "2001:db8:\(groups[0]):\(groups[1])::\(groups[2])"
        return Origin(remote: remote, isLocal: true, requestID: word())
    }

    /// The first one, who has a house from now on.
    static func claim(_ house: TestHouse) async throws -> Resident {
        let (origin, username, name) = (place(), word(), word())
        guard let token = try await house.hub.house.newClaimToken() else { throw CardeaHub.People.Problem.alreadyClaimed }
        let tokens = try await house.hub.people.claim(
            .init(
                token: token, username: username, password: TestHouse.password, name: name, houseName: "Lime House",
                timeZone: "Europe/Berlin"), origin: origin)
        return try await Resident(tokens, .owner, name, username, origin, house)
    }

    /// Somebody whom `owner` has move in.
    static func join(_ house: TestHouse, as role: Role, invitedBy owner: Resident) async throws -> Resident {
        let (origin, username, name) = (place(), word(), word())
        let (invitation, _) = try await house.hub.people.invite(
            name: name, role: role.rawValue, by: owner.who, call: nil, origin: owner.origin)
        let tokens = try await house.hub.people.accept(invitation.secret, username: username, password: TestHouse.password, origin: origin)
        return try await Resident(tokens, role, name, username, origin, house)
    }

    private init(
        _ tokens: SessionTokens, _ role: Role, _ name: String, _ username: String, _ origin: Origin, _ house: TestHouse
    ) async throws {
        who = try await house.hub.sessions.authenticate(tokens.access)
        guard case .person(let id, _) = who else { throw CardeaHub.People.Problem.notFound }
        (self.id, self.role, self.username, self.origin) = (id, role, username, origin)
        own = ["their name": name, "their user name": username, "their address": origin.remote ?? ""]
        secret = ["their access token": tokens.access.reveal(), "their refresh token": tokens.refresh.reveal()]
    }

    // MARK: Living

    /// What somebody does in their house.
    enum Deed: String, CaseIterable, Sendable {
        case asksForADoor = "asks for a door"
        case letsAGuestIn = "lets a guest in"
        case letsAScriptIn = "lets a script in"
        case pairsAPhone = "pairs a phone"
        case confirmsAPhone = "confirms a phone that does not come"
        case guessesDigits = "guesses at a phone's digits"
        case mistypes = "mistypes a password"
        case tapsNothing = "taps a tag that is not the house's"
        case makesAPasskey = "makes a passkey"
        case printsCodes = "prints recovery codes"
        case choosesHowItLooks = "chooses how the house looks"
        case choosesWhatIsTold = "chooses what is told"
        case isToldInABrowser = "is told in a browser"
        case saysWhereTheyAre = "says where they are"
        case tellsTheMind = "tells the mind something"
        case asksTheMind = "asks the mind something"
        case talksOfDevices = "talks of devices"
        case writesAnAutomation = "writes an automation"
        case tellsOfAnEvent = "tells of an event"
        case hasAScriptTellOfAnEvent = "has a script tell of an event"
        case changesAFilter = "changes a filter"
        case makesALink = "makes a link that presses a button"
        case keepsACopy = "keeps a copy of the house"
        case linksAPerson = "has another system tell where they are"

        /// Without which the house says no.
        var right: Right {
            switch self {
            case .letsAGuestIn: .inviteGuests
            case .talksOfDevices: .addDevices
            case .writesAnAutomation, .tellsOfAnEvent, .hasAScriptTellOfAnEvent, .makesALink: .modifySettings
            case .changesAFilter: .manageMaintenance
            default: .controlDevices
            }
        }
    }

    func may(_ deed: Deed) -> Bool { role.rights.contains(deed.right) }

    mutating func live(_ deed: Deed, in house: TestHouse) async throws {
        deeds.insert(deed)
        let hub = house.hub
        switch deed {
        case .keepsACopy: _ = try await hub.replicas.keep(without: [], by: who, origin: origin)
        case .asksForADoor:
            let key = keptSecret("the name of a call")
            let call = CallName(key: key, method: "PUT", path: "/control", body: Data(key.utf8))
            _ = try await hub.commands.submit(
                CommandAsk(
                    principal: who, target: .device(id: "front-door", entityID: nil, verb: .unlock), call: call, origin: origin))
        case .letsAGuestIn:
            var draft = house.draft(uses: 2)
            draft.name = mark("a guest's name")
            let key = keptSecret("the name of an invitation")
            let call = CallName(key: key, method: "POST", path: "/guests", body: Data())
            let (codes, _) = try await hub.guests.invite(draft, by: who, call: call, origin: origin)
            let link = codes.linkCode.reveal()
            let party = RelyingParty(id: "house.example", origins: ["https://house.example"])
            let made = try SoftPasskey().made(Data(SHA256.hash(data: Data(link.utf8))), rpID: party.id, origin: "https://house.example")
            let passkey = Passkeys.Made(
                clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: [])
            let (token, _) = try await hub.guestAccess.pair(
                link, key: GuestKey().publicKey, verifying: .passkey(passkey, party), origin: Self.place())
            keep(token, "a guest's token")
            draft.name = mark("the name of a guest who waits")
            draft.requiresApproval = true
            let (waiting, _) = try await hub.guests.invite(draft, by: who, call: nil, origin: origin)
            do {
                _ = try await hub.guestAccess.pair(waiting.linkCode.reveal(), key: GuestKey().publicKey, origin: Self.place())
                Issue.record("nobody was asked")
            } catch GuestAccess.Problem.waiting {}
            let early = Principal.guest(id: waiting.guestID)
            do {
                _ = try await hub.looks.look(at: "guest_access.pass", by: early, origin: Self.place()) {
                    try await hub.guestAccess.validPass(of: early, origin: Self.place())
                }
                Issue.record("a pass that waits for a yes was shown")
            } catch GuestAccess.Problem.pass {}
        case .letsAScriptIn:
            let draft = APITokens.Draft(name: mark("a script's name"), items: nil, role: "member", expiresAt: nil)
            keep(try await hub.apiTokens.make(draft, by: who, origin: origin).secret, "a script's token")
        case .pairsAPhone:
            let name = mark("a phone's name")
            let asked = try await hub.phonePairings.ask(phone(name), origin: origin)
            _ = try await hub.phonePairings.confirm(asked.digits.reveal(), by: who, origin: origin)
            _ = try await hub.phonePairings.redeem(
                .init(digits: asked.digits.reveal(), deviceID: deviceID(name), secret: asked.secret), origin: origin)
        case .confirmsAPhone:
            let asked = try await hub.phonePairings.ask(phone(mark("the name of a phone that does not come")), origin: origin)
            _ = try await hub.phonePairings.confirm(asked.digits.reveal(), by: who, origin: origin)
        case .guessesDigits:
            // The digits of no phone that waits.
            try await refused { _ = try await hub.phonePairings.confirm("000000", by: who, origin: origin) }
        case .mistypes:
            try await refused {
                _ = try await hub.sessions.login(username: username, password: Secret("horse correct battery"), origin: origin)
            }
        case .tapsNothing:
            _ = try await hub.taps.tap("https://house.example/t/" + Self.word(), isConfirmed: true, by: who, origin: origin)
        case .makesAPasskey:
            let party = RelyingParty(id: "house.example", origins: ["https://house.example"])
            let creation = try await hub.passkeys.registration(at: party, by: who, origin: origin)
            let made = try SoftPasskey(userHandle: creation.handle).made(
                creation.challenge, rpID: party.id, origin: "https://house.example")
            _ = try await hub.passkeys.register(
                .init(clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: []),
                name: mark("a passkey's name"), at: party, by: who, origin: origin)
            _ = try await hub.passkeys.registration(at: party, by: who, origin: origin)
        case .printsCodes:
            for code in try await hub.recoveryCodes.make(by: who, origin: origin) { keep(code, "a recovery code") }
        case .choosesHowItLooks:
            var preferences = Preferences()
            preferences.displayByRoom = ["hall": .string(mark("how a room looks"))]
            _ = try await hub.preferences.change(preferences, seen: .any, by: who, origin: origin)
        case .choosesWhatIsTold:
            var preferences = NoticePreferences()
            preferences.mutedPlaces = [mark("a place of which nothing is told")]
            _ = try await hub.notices.change(preferences, of: "me", seen: .any, by: who, origin: origin)
        case .isToldInABrowser:
            let key = P256.KeyAgreement.PrivateKey()
            _ = try await hub.pushSubscriptions.register(
                .init(
                    endpoint: "https://fcm.googleapis.com/fcm/send/" + keptSecret("where their browser is told"),
                    key: Base64URL.encode(key.publicKey.x963Representation), authentication: Base64URL.encode(Data(count: 16))),
                by: who, origin: origin)
        case .saysWhereTheyAre:
            _ = try await hub.people.say(isHome: true, by: who, origin: origin)
        case .linksAPerson:
            let (entityID, key) = ("person.\(Self.word())", mark("the id that another system has of them"))
            hub.integrations.add(ScriptedPersons([PresenceSource(key: key, entityID: entityID, name: "Somebody", presence: nil)]))
            _ = try await hub.presenceSources.link(entityID, by: who, origin: origin)
        case .tellsTheMind:
            let draft = MemoryDraft(
                type: .semantic, title: mark("a memory's title"), content: mark("a memory"),
                details: ["note": .string(mark("a memory's details"))], tags: [mark("a memory's tag")])
            _ = try await house.mind.remember(
                draft, id: "memory_" + Self.word(), by: Rememberer(try await hub.insight.asker(who)),
                record: hub.insight.recorder("memory.add", by: who, origin: origin))
        case .asksTheMind:
            _ = try await house.mind.answer(
                "did \(mark("a question")) come home?", seenBy: Sight(of: try await hub.insight.asker(who)))
        case .talksOfDevices:
            let (speaker, record) = try await house.speaker(who)
            let id = try await house.interview(of: who)
            _ = try await house.mind.interviews.message(
                "There is a lamp in the \(mark("what was said of a device")) room", to: id, by: speaker, record: record)
        case .writesAnAutomation:
            let automation = try await house.automation(
                AutomationDraft(
                    name: mark("an automation's name"), triggers: [.seen(eventType: "person", cameraID: nil)],
                    actions: [.notify(words: mark("what an automation told"), to: .owner)]), by: who)
            _ = try await house.mind.automations.dryRun(
                automation.id, days: 1, seenBy: Sight(of: try await hub.insight.asker(who)))
        case .tellsOfAnEvent:
            let draft = Events.Draft(
                source: "porch", type: "person", description: mark("what was seen"), occurredAt: house.clock.now)
            _ = try await hub.events.record(draft, by: who, call: nil, origin: origin)
        case .hasAScriptTellOfAnEvent:
            let draft = APITokens.Draft(
                name: mark("the name of a script that sees"), items: nil, role: nil, expiresAt: nil, recordsEvents: true)
            let script = try await hub.apiTokens.make(draft, by: who, origin: origin).secret
            let seen = Events.Draft(source: "garden", type: "cat", description: mark("what a script saw"), occurredAt: house.clock.now)
            _ = try await hub.events.record(
                seen, by: try await hub.sessions.authenticate(script, origin: origin), call: nil, origin: origin)
        case .changesAFilter:
            let (task, _) = try await hub.maintenance.add(.init(title: "Change the filter"), by: who, call: nil, origin: origin)
            let done = Maintenance.Done(notes: put("what was done"), serviceProvider: put("who came"))
            _ = try await hub.maintenance.complete(task.id, done, seen: .any, by: who, call: nil, origin: origin)
        case .makesALink:
            let item = Batches.Item(deviceID: "hall-light", action: "on")
            let (link, _) = try await hub.tags.live(.grant(item), by: who, call: nil, origin: origin)
            keep(link.query, "a link")
        }
    }

    /// The house says no to it, and writes that down.
    private func refused(_ body: () async throws -> Void) async throws {
        struct NotRefused: Error {}
        do { try await body() } catch is Sessions.Problem { return } catch is PhonePairings.Problem { return }
        throw NotRefused()
    }

    private mutating func mark(_ what: String) -> String {
        let word = Self.word()
        own["\(what) \(own.count)"] = word
        return word
    }

    private mutating func put(_ what: String) -> String {
        let word = Self.word()
        shared["\(what) \(shared.count)"] = word
        return word
    }

    private mutating func keptSecret(_ what: String) -> String {
        let word = Self.word()
        secret["\(what) \(secret.count)"] = word
        return word
    }

    private mutating func keep(_ word: Secret, _ what: String) { secret["\(what) \(secret.count)"] = word.reveal() }

    private func deviceID(_ name: String) -> String {
        let digits = Array(name.dropFirst() + "00000000000000")
        let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        return parts.map { String($0) }.joined(separator: "-")
    }

    private func phone(_ name: String) throws -> PhoneWords {
        try PhoneWords(deviceID: deviceID(name), name: name, model: nil, platform: .ios)
    }
}
