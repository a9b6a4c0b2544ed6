import CardeaAutomations
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import Testing

/// A resident of a random house, and their unguessable texts in it.
struct RandomResident {
    let who: Principal
    let id: String
    let role: Role
    let username: String
    let origin: RequestOrigin
    /// The resident's own texts, by their kinds.
    private(set) var own: [String: String] = [:]
    /// Texts the resident entered for the household: they belong to every resident.
    private(set) var shared: [String: String] = [:]
    /// Secrets that no export may contain.
    private(set) var secret: [String: String] = [:]
    private(set) var performedActions: Set<ResidentAction> = []

    /// A text that no other resident has.
    static func uniqueWord() -> String {
        "k" + SecretGenerator.randomBytes(9).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// A request origin with an address in a network that no other resident has.
    static func uniqueOrigin() -> RequestOrigin {
        let address = SecretGenerator.randomBytes(6).map { String($0 | 0x10, radix: 16) }
        let groups = stride(from: 0, to: 6, by: 2).map { address[$0] + address[$0 + 1] }
        let remote = "2001:db8:\(groups[0]):\(groups[1])::\(groups[2])"
        return RequestOrigin(remote: remote, isLocal: true, requestID: uniqueWord())
    }

    /// The first one, who claims the house.
    static func claim(_ house: TestHouse) async throws -> RandomResident {
        let (origin, username, name) = (uniqueOrigin(), uniqueWord(), uniqueWord())
        guard let token = try await house.hub.house.newClaimToken() else { throw CardeaHub.People.PersonError.alreadyClaimed }
        let tokens = try await house.hub.people.claim(
            .init(
                token: token, username: username, password: TestHouse.password, name: name, houseName: "Lime House",
                timeZone: "Europe/Berlin"), origin: origin)
        return try await RandomResident(tokens, .owner, name, username, origin, house)
    }

    /// A resident invited by `owner`.
    static func join(_ house: TestHouse, as role: Role, invitedBy owner: RandomResident) async throws -> RandomResident {
        let (origin, username, name) = (uniqueOrigin(), uniqueWord(), uniqueWord())
        let (invitation, _) = try await house.hub.people.invite(
            name: name, role: role.rawValue, by: owner.who, call: nil, origin: owner.origin)
        let tokens = try await house.hub.people.accept(invitation.secret, username: username, password: TestHouse.password, origin: origin)
        return try await RandomResident(tokens, role, name, username, origin, house)
    }

    private init(
        _ tokens: SessionTokens, _ role: Role, _ name: String, _ username: String, _ origin: RequestOrigin, _ house: TestHouse
    ) async throws {
        who = try await house.hub.sessions.authenticate(tokens.access)
        guard case .person(let id, _) = who else { throw CardeaHub.People.PersonError.notFound }
        (self.id, self.role, self.username, self.origin) = (id, role, username, origin)
        own = ["their name": name, "their user name": username, "their address": origin.remote ?? ""]
        secret = ["their access token": tokens.access.reveal(), "their refresh token": tokens.refresh.reveal()]
    }

    // MARK: Actions

    /// An action of a resident in their house.
    enum ResidentAction: String, CaseIterable, Sendable {
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

        /// The right without which the house refuses.
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

    func isAllowed(_ deed: ResidentAction) -> Bool { role.rights.contains(deed.right) }

    mutating func perform(_ deed: ResidentAction, in house: TestHouse) async throws {
        performedActions.insert(deed)
        let hub = house.hub
        switch deed {
        case .keepsACopy: _ = try await hub.replicas.confirm(without: [], by: who, origin: origin)
        case .asksForADoor:
            let key = makeSecretWord("the name of a call")
            let call = IdempotencyKey(key: key, method: "PUT", path: "/control", body: Data(key.utf8))
            _ = try await hub.commands.submit(
                CommandRequest(
                    principal: who, target: .device(id: "front-door", entityID: nil, verb: .unlock), idempotencyKey: call, origin: origin))
        case .letsAGuestIn:
            var draft = house.draft(uses: 2)
            draft.name = makeOwnWord("a guest's name")
            let key = makeSecretWord("the name of an invitation")
            let call = IdempotencyKey(key: key, method: "POST", path: "/guests", body: Data())
            let (codes, _) = try await hub.guests.invite(draft, by: who, call: call, origin: origin)
            let link = codes.linkCode.reveal()
            let party = RelyingParty(id: "house.example", origins: ["https://house.example"])
            let made = try SoftwareAuthenticator().registrationResponse(
                Data(SHA256.hash(data: Data(link.utf8))), rpID: party.id, origin: "https://house.example")
            let passkey = Passkeys.Attestation(
                clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: [])
            let (token, _) = try await hub.guestAccess.pair(
                link, key: GuestKey().publicKey, verifying: .passkey(passkey, party), origin: Self.uniqueOrigin())
            recordSecret(token, "a guest's token")
            draft.name = makeOwnWord("the name of a guest who waits")
            draft.requiresApproval = true
            let (waiting, _) = try await hub.guests.invite(draft, by: who, call: nil, origin: origin)
            do {
                _ = try await hub.guestAccess.pair(waiting.linkCode.reveal(), key: GuestKey().publicKey, origin: Self.uniqueOrigin())
                Issue.record("nobody was asked")
            } catch GuestAccess.GuestAccessError.waiting {}
            let early = Principal.guest(id: waiting.guestID)
            do {
                _ = try await hub.readAuditor.read(at: "guest_access.pass", by: early, origin: Self.uniqueOrigin()) {
                    try await hub.guestAccess.validPass(of: early, origin: Self.uniqueOrigin())
                }
                Issue.record("a pass that waits for a yes was shown")
            } catch GuestAccess.GuestAccessError.pass {}
        case .letsAScriptIn:
            let draft = APITokens.Draft(name: makeOwnWord("a script's name"), items: nil, role: "member", expiresAt: nil)
            recordSecret(try await hub.apiTokens.make(draft, by: who, origin: origin).secret, "a script's token")
        case .pairsAPhone:
            let name = makeOwnWord("a phone's name")
            let asked = try await hub.phonePairings.request(phone(name), origin: origin)
            _ = try await hub.phonePairings.confirm(asked.digits.reveal(), by: who, origin: origin)
            _ = try await hub.phonePairings.redeem(
                .init(digits: asked.digits.reveal(), deviceID: deviceID(name), secret: asked.secret), origin: origin)
        case .confirmsAPhone:
            let asked = try await hub.phonePairings.request(phone(makeOwnWord("the name of a phone that does not come")), origin: origin)
            _ = try await hub.phonePairings.confirm(asked.digits.reveal(), by: who, origin: origin)
        case .guessesDigits:
            // No waiting phone has these digits.
            try await expectRefusal { _ = try await hub.phonePairings.confirm("000000", by: who, origin: origin) }
        case .mistypes:
            try await expectRefusal {
                _ = try await hub.sessions.login(username: username, password: Secret("horse correct battery"), origin: origin)
            }
        case .tapsNothing:
            _ = try await hub.tapHandler.handle("https://house.example/t/" + Self.uniqueWord(), isConfirmed: true, by: who, origin: origin)
        case .makesAPasskey:
            let party = RelyingParty(id: "house.example", origins: ["https://house.example"])
            let creation = try await hub.passkeys.creationOptions(at: party, by: who, origin: origin)
            let made = try SoftwareAuthenticator(userHandle: creation.handle).registrationResponse(
                creation.challenge, rpID: party.id, origin: "https://house.example")
            _ = try await hub.passkeys.register(
                .init(clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: []),
                name: makeOwnWord("a passkey's name"), at: party, by: who, origin: origin)
            _ = try await hub.passkeys.creationOptions(at: party, by: who, origin: origin)
        case .printsCodes:
            for code in try await hub.recoveryCodes.make(by: who, origin: origin) { recordSecret(code, "a recovery code") }
        case .choosesHowItLooks:
            var preferences = Preferences()
            preferences.displayByRoom = ["hall": .string(makeOwnWord("how a room looks"))]
            _ = try await hub.preferences.change(preferences, seen: .any, by: who, origin: origin)
        case .choosesWhatIsTold:
            var preferences = NoticePreferences()
            preferences.mutedPlaces = [makeOwnWord("a place of which nothing is told")]
            _ = try await hub.notices.change(preferences, of: "me", seen: .any, by: who, origin: origin)
        case .isToldInABrowser:
            let key = P256.KeyAgreement.PrivateKey()
            _ = try await hub.pushSubscriptions.register(
                .init(
                    endpoint: "https://fcm.googleapis.com/fcm/send/" + makeSecretWord("where their browser is told"),
                    key: Base64URL.encode(key.publicKey.x963Representation), authentication: Base64URL.encode(Data(count: 16))),
                by: who, origin: origin)
        case .saysWhereTheyAre:
            _ = try await hub.people.setPresence(isHome: true, by: who, origin: origin)
        case .linksAPerson:
            let (entityID, key) = ("person.\(Self.uniqueWord())", makeOwnWord("the id that another system has of them"))
            hub.integrations.add(ScriptedPresenceBackend([PresenceSource(key: key, entityID: entityID, name: "Somebody", presence: nil)]))
            _ = try await hub.presenceSources.link(entityID, by: who, origin: origin)
        case .tellsTheMind:
            let draft = MemoryDraft(
                type: .semantic, title: makeOwnWord("a memory's title"), content: makeOwnWord("a memory"),
                details: ["note": .string(makeOwnWord("a memory's details"))], tags: [makeOwnWord("a memory's tag")])
            _ = try await house.mind.addMemory(
                draft, id: "memory_" + Self.uniqueWord(), by: MemoryRequester(try await hub.mindFeed.requester(who)),
                record: hub.mindFeed.recorder("memory.add", by: who, origin: origin))
        case .asksTheMind:
            _ = try await house.mind.answer(
                "did \(makeOwnWord("a question")) come home?", seenBy: RequesterVisibility(of: try await hub.mindFeed.requester(who)))
        case .talksOfDevices:
            let (speaker, record) = try await house.speaker(who)
            let id = try await house.interview(of: who)
            _ = try await house.mind.interviews.message(
                "There is a lamp in the \(makeOwnWord("what was said of a device")) room", to: id, by: speaker, record: record)
        case .writesAnAutomation:
            let automation = try await house.automation(
                AutomationDraft(
                    name: makeOwnWord("an automation's name"), triggers: [.seen(eventType: "person", cameraID: nil)],
                    actions: [.notify(words: makeOwnWord("what an automation told"), to: .owner)]), by: who)
            _ = try await house.automations.dryRun(
                automation.id, days: 1, seenBy: RequesterVisibility(of: try await hub.mindFeed.requester(who)))
        case .tellsOfAnEvent:
            let draft = Events.Draft(
                source: "porch", type: "person", description: makeOwnWord("what was seen"), occurredAt: house.clock.now)
            _ = try await hub.events.record(draft, by: who, call: nil, origin: origin)
        case .hasAScriptTellOfAnEvent:
            let draft = APITokens.Draft(
                name: makeOwnWord("the name of a script that sees"), items: nil, role: nil, expiresAt: nil, recordsEvents: true)
            let script = try await hub.apiTokens.make(draft, by: who, origin: origin).secret
            let seen = Events.Draft(
                source: "garden", type: "cat", description: makeOwnWord("what a script saw"), occurredAt: house.clock.now)
            _ = try await hub.events.record(
                seen, by: try await hub.sessions.authenticate(script, origin: origin), call: nil, origin: origin)
        case .changesAFilter:
            let (task, _) = try await hub.maintenance.add(.init(title: "Change the filter"), by: who, call: nil, origin: origin)
            let done = MaintenanceTasks.CompletionDraft(notes: makeSharedWord("what was done"), serviceProvider: makeSharedWord("who came"))
            _ = try await hub.maintenance.complete(task.id, done, seen: .any, by: who, call: nil, origin: origin)
        case .makesALink:
            let item = CommandBatches.Item(deviceID: "hall-light", action: "on")
            let (link, _) = try await hub.tags.issueSignedLink(.grant(item), by: who, call: nil, origin: origin)
            recordSecret(link.query, "a link")
        }
    }

    /// The house refuses it, and records that.
    private func expectRefusal(_ body: () async throws -> Void) async throws {
        struct NotRefused: Error {}
        do { try await body() } catch is Sessions.SessionError { return } catch is PhonePairings.PairingError { return }
        throw NotRefused()
    }

    private mutating func makeOwnWord(_ what: String) -> String {
        let word = Self.uniqueWord()
        own["\(what) \(own.count)"] = word
        return word
    }

    private mutating func makeSharedWord(_ what: String) -> String {
        let word = Self.uniqueWord()
        shared["\(what) \(shared.count)"] = word
        return word
    }

    private mutating func makeSecretWord(_ what: String) -> String {
        let word = Self.uniqueWord()
        secret["\(what) \(secret.count)"] = word
        return word
    }

    private mutating func recordSecret(_ word: Secret, _ what: String) { secret["\(what) \(secret.count)"] = word.reveal() }

    private func deviceID(_ name: String) -> String {
        let digits = Array(name.dropFirst() + "00000000000000")
        let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        return parts.map { String($0) }.joined(separator: "-")
    }

    private func phone(_ name: String) throws -> PhoneDescription {
        try PhoneDescription(deviceID: deviceID(name), name: name, model: nil, platform: .ios)
    }
}
