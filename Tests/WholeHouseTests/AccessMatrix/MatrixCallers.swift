import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Crypto
import Foundation
import GRDB

/// The callers of the matrix's house, present and former, and the objects in it.
struct MatrixCallers: Sendable {
    static let refreshAsAccess = "a refresh token as access"

    var all: [MatrixCaller] = []
    /// An object's id, by its kind and owner, and for personal objects by person.
    var ids: [ResourceKey: String] = [:]

    enum ResourceKind: Hashable, Sendable {
        case memory, job, event, camera, device, sensor, entity, command, ask, pass, waitingPass, scene, room, person, session, passkey,
            token, phone, notice, push, button, tag, interview, twin, automation, entry, task, webhook
        /// Not an id: a scene's name.
        case sceneWord
    }

    struct ResourceKey: Hashable, Sendable {
        let kind: ResourceKind
        let thing: ResourceOwnership
        var of: String?
    }

    /// The id a visitor names.
    func id(_ kind: ResourceKind, _ thing: ResourceOwnership, for visitor: MatrixCaller) -> String {
        if kind == .sceneWord { return "scene" }
        let thing = thing == .crossed ? (kind == .person ? .own : .anothers) : thing
        return ids[ResourceKey(kind: kind, thing: thing, of: visitor.place ?? visitor.auditID)] ?? ids[
            ResourceKey(kind: kind, thing: thing)]
            ?? "nobodys"
    }

    /// One of each role, a program, a guest and a stranger: enough for the gate. With `CARDEA_FULL=1` all.
    var gateSample: [MatrixCaller] {
        guard !TestRepetitions.isFull else { return all }
        let people = MatrixCaller.HouseRole.allCases.map { MatrixCaller.Identity.person($0, provenLately: true) }
        let others: [MatrixCaller.Identity] = [.program(.everything), .guest(.open), .stranger]
        return (people + others).compactMap { standing in all.first { $0.identity == standing } }
    }

    private mutating func add(
        _ name: String, _ standing: MatrixCaller.Identity, _ credential: MatrixCaller.Credential, auditID: String? = nil
    ) {
        all.append(MatrixCaller(name: name, identity: standing, credential: credential, auditID: auditID))
    }

    private mutating func addStranger(_ name: String, _ token: Secret) { add(name, .stranger, .bearer(token.reveal())) }

    private mutating func setIDs(_ kind: ResourceKind, _ own: String, _ anothers: String) {
        ids[ResourceKey(kind: kind, thing: .own)] = own
        ids[ResourceKey(kind: kind, thing: .anothers)] = anothers
    }
}

// MARK: Setup

extension MatrixCallers {
    /// Fills a house with all callers, and takes foreign ids from a second one.
    static func populate(_ house: TestHouse, from others: ForeignHouse) async throws -> MatrixCallers {
        var visitors = MatrixCallers()
        let hub = house.hub
        let claimed = try await house.claim()
        house.clock.advance(by: 3700)
        // Signed in a while ago: long enough that a step-up is required.
        let staleOwner = try await visitors.login("owner", house)
        let (_, _) = try await house.resident("admin", role: "admin", by: staleOwner.who)
        let staleAdmin = try await visitors.login("admin", house)
        let over = try await house.guest(house.draft(lasts: 60), by: staleOwner.who)
        let expired = try await hub.apiTokens.make(
            .init(name: "Over", items: nil, role: nil, expiresAt: house.clock.now.addingTimeInterval(60)), by: staleOwner.who,
            origin: .house)
        house.clock.advance(by: 400)

        let owner = try await visitors.login("owner", house)
        let admin = try await visitors.login("admin", house)
        let member = try await house.resident("member", role: "member", by: owner.who)
        let inviter = try await house.resident("inviter", role: "member", by: owner.who)
        let nothing = try await house.resident("nothing", role: "guest", by: owner.who)
        let removed = try await house.resident("removed", role: "member", by: owner.who)
        let disabled = try await house.resident("disabled", role: "member", by: owner.who)
        let orphan = try await hub.apiTokens.make(
            .init(name: "Orphan", items: nil, role: nil, expiresAt: nil), by: removed.who, origin: .house)
        try await hub.people.remove(visitors.person(removed.who), by: owner.who, origin: .house)
        _ = try await hub.people.change(
            visitors.person(disabled.who), .init(name: nil, role: nil, canInviteGuests: nil, disabled: true), by: owner.who, origin: .house)
        _ = try await hub.people.change(
            visitors.person(inviter.who), .init(name: nil, role: nil, canInviteGuests: true, disabled: nil), by: owner.who, origin: .house)
        let ended = try await visitors.login("owner", house)
        try await hub.sessions.logout(ended.who, origin: .house)

        for (name, position, lately, who, tokens) in [
            ("the owner", MatrixCaller.HouseRole.owner, true, owner.who, owner.tokens),
            ("an owner who signed in a while ago", .owner, false, staleOwner.who, staleOwner.tokens),
            ("an admin", .admin, true, admin.who, admin.tokens),
            ("an admin who signed in a while ago", .admin, false, staleAdmin.who, staleAdmin.tokens),
            ("a member", .member, true, member.who, member.tokens),
            ("a member who may let guests in", .inviter, true, inviter.who, inviter.tokens),
            ("a role that holds nothing", .nothing, true, nothing.who, nothing.tokens),
        ] {
            visitors.add(
                name, .person(position, provenLately: lately), .bearer(tokens.access.reveal()), auditID: visitors.person(who))
        }
        try await visitors.addStrangers(claimed.tokens, owner, others, house)
        for (name, token) in [
            ("somebody who was removed", removed.tokens.access), ("somebody who was disabled", disabled.tokens.access),
            ("a session that ended", ended.tokens.access), (refreshAsAccess, owner.tokens.refresh),
            ("a program's token that is over", expired.secret), ("a program whose maker went", orphan.secret),
        ] {
            visitors.addStranger(name, token)
        }
        let (_, phone) = try await house.paired(try house.phone("Hall tablet"), by: owner.who)
        visitors.add(
            "the owner's phone", .person(.owner, provenLately: false), .bearer(phone.access.reveal()), auditID: visitors.person(owner.who))
        visitors.all[visitors.all.count - 1].isPhone = true
        visitors.addStranger("a phone's refresh token as access", phone.refresh)
        try await visitors.addPrograms(owner.who, house)
        try await visitors.addGuests(over, owner.who, house)
        try await visitors.addResources([owner.who, admin.who, member.who, inviter.who, nothing.who], others, house)
        return visitors
    }

    private func login(_ name: String, _ house: TestHouse) async throws -> (who: Principal, tokens: SessionTokens) {
        let tokens = try await house.hub.sessions.login(username: name, password: TestHouse.password, origin: .house)
        return (try await house.hub.sessions.authenticate(tokens.access), tokens)
    }

    private func person(_ principal: Principal) -> String {
        if case .person(let id, _) = principal { id } else { "" }
    }

    /// Adds unknown callers of every kind.
    private mutating func addStrangers(
        _ old: SessionTokens, _ owner: (who: Principal, tokens: SessionTokens), _ others: ForeignHouse, _ house: TestHouse
    ) async throws {
        let token = owner.tokens.access.reveal()
        add("nobody", .stranger, .none)
        add("nonsense in the field", .stranger, .field("Bearer"))
        add("nonsense for a token", .stranger, .bearer("x.y.z"))
        add("another scheme", .stranger, .field("Basic \(Data("owner:\(TestHouse.password.reveal())".utf8).base64EncodedString())"))
        add("the token under another scheme", .stranger, .field("Token \(token)"))
        add("the token in the address", .stranger, .inQuery(token))
        add("two Authorization fields", .stranger, .twice(token))
        add("a token that is over", .stranger, .bearer(old.access.reveal()))
        addStranger("another house's owner", others.owner)
        addStranger("another house's guest", others.guest)
        addStranger("another house's program", others.program)

        let parts = token.split(separator: ".").map(String.init)
        let signed = Data((parts[0] + "." + parts[1]).utf8)
        let foreign = try P256.Signing.PrivateKey().signature(for: signed).rawRepresentation
        add("the owner's claims, signed by a foreign key", .stranger, .bearer("\(parts[0]).\(parts[1]).\(Base64URL.encode(foreign))"))
        let kid = try JSONDecoder().decode([String: String].self, from: Base64URL.decode(parts[0]) ?? Data())["kid"] ?? ""
        let secret = Data(HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: Data(kid.utf8))))
        for (algorithm, signature) in [("none", ""), ("HS256", Base64URL.encode(secret))] {
            let header = Base64URL.encode(Data(#"{"alg":"\#(algorithm)","typ":"JWT","kid":"\#(kid)"}"#.utf8))
            add("the owner's claims under alg \(algorithm)", .stranger, .bearer("\(header).\(parts[1]).\(signature)"))
        }
    }

    private mutating func addPrograms(_ owner: Principal, _ house: TestHouse) async throws {
        let tokens = house.hub.apiTokens
        let frontDoor = Guests.Draft.Item(deviceID: "front-door", entityID: nil, actions: ["door.open"])
        let whole = try await tokens.make(.init(name: "All", items: nil, role: nil, expiresAt: nil), by: owner, origin: .house)
        let narrow = try await tokens.make(.init(name: "Door", items: [frontDoor], role: nil, expiresAt: nil), by: owner, origin: .house)
        let revoked = try await tokens.make(.init(name: "Gone", items: nil, role: nil, expiresAt: nil), by: owner, origin: .house)
        try await tokens.revoke(revoked.token.id, by: owner, origin: .house)
        addStranger("a program's token that was revoked", revoked.secret)
        for (name, reach, made) in [
            ("a program for everything", MatrixCaller.TokenScope.everything, whole), ("a program for one door", .frontDoor, narrow),
        ] {
            add(name, .program(reach), .bearer(made.secret.reveal()), auditID: person(owner))
            // Filed under its own name, so that its maker's requests are another's to it.
            all[all.count - 1].place = made.token.id
            let run = try await house.run(
                house.unlock(as: .apiToken(id: made.token.id, personID: person(owner))))
            ids[ResourceKey(kind: .command, thing: .own, of: made.token.id)] = run.id
        }
    }

    private mutating func addGuests(
        _ over: (who: Principal, id: String, token: Secret), _ owner: Principal, _ house: TestHouse
    ) async throws {
        let guests = house.hub.guests
        let revoked = try await house.guest(house.draft(), by: owner)
        let suspended = try await house.guest(house.draft(), by: owner)
        let usedUp = try await house.guest(house.draft(uses: 1), by: owner)
        let replaced = try await house.guest(house.draft(), by: owner)
        let closed = try await house.guest(house.draft(device: "back-door"), by: owner)
        for (pass, made) in [
            (MatrixCaller.PassState.open, try await house.guest(house.draft(), by: owner)),
            (.early, try await house.guest(house.draft(startsIn: 3600), by: owner)), (.over, over), (.usedUp, usedUp), (.revoked, revoked),
            (.suspended, suspended), (.replaced, replaced), (.closedDoor, closed),
        ] {
            add("a pass, \(pass)", .guest(pass), .bearer(made.token.reveal()), auditID: made.id)
        }
        try await addBoundGuests(owner, house)
        _ = try await guests.decide(.revoke, revoked.id, by: owner, origin: .house)
        _ = try await guests.decide(.suspend, suspended.id, by: owner, origin: .house)
        _ = try await house.run(house.open(as: usedUp.who))
        let link = try await guests.newCode(for: replaced.id, by: owner, origin: .house).linkCode
        _ = try await house.hub.guestAccess.pair(link.reveal(), origin: .house)
        ids[ResourceKey(kind: .entity, thing: .own, of: closed.id)] = "lock.back_door"
        ids[ResourceKey(kind: .entity, thing: .anothers, of: closed.id)] = "lock.front_door"
    }

    /// Passes bound to a key, with all variants of proofs.
    private mutating func addBoundGuests(_ owner: Principal, _ house: TestHouse) async throws {
        for pass in [MatrixCaller.PassState.bound, .proven, .forged, .replayed, .misdirected] {
            let key = GuestKey()
            let made = try await house.guest(house.draft(), key: key, by: owner)
            add("a pass, \(pass)", .guest(pass), .bearer(made.token.reveal()), auditID: made.id)
            guard pass != .bound else { continue }
            all[all.count - 1].proofKey = MatrixCaller.ProofKey(key: pass == .forged ? GuestKey() : key, deviceID: key.deviceID)
        }
    }

    /// An export that was ready for download.
    private func job(of personID: String, _ house: TestHouse) async throws -> String {
        let (id, now) = ("job_of_\(personID)", house.clock.now.milliseconds)
        try await house.store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO jobs (id, kind, person_id, asked_by, state, step, asked_at, finished_at, expires_at)
                    VALUES (?1, 'export', ?2, ?2, 'done', 'done', ?3, ?3, ?3)
                    """, arguments: [id, personID, now])
        }
        return id
    }

    private mutating func addResources(_ people: [Principal], _ others: ForeignHouse, _ house: TestHouse) async throws {
        let (hub, owner) = (house.hub, people[0])
        let names = people.map(person)
        let admin = people[1]
        ids.merge(others.ids) { mine, _ in mine }
        setIDs(.device, "front-door", "back-door")
        setIDs(.entity, "lock.front_door", "lock.back_door")
        setIDs(.sensor, "hall-sensor", "hall-sensor")
        setIDs(.event, try await event("bell", owner, house), try await event("porch", admin, house))
        try await hub.notificationDispatcher.planNotifications()
        setIDs(.room, try await room("Hall", owner, hub), try await room("Attic", admin, hub))
        setIDs(.camera, try await camera("Porch", owner, hub), try await camera("Garden", admin, hub))
        setIDs(.webhook, try await webhook(owner, hub), try await webhook(admin, hub))
        setIDs(.scene, try await scene("Night", owner, hub), try await scene("Day", admin, hub))
        setIDs(.automation, try await automation(owner, house), try await automation(admin, house))
        setIDs(.task, try await task(owner, hub), try await task(admin, hub))
        let buttons = (try await button(owner, hub), try await button(admin, hub))
        setIDs(.button, buttons.0, buttons.1)
        setIDs(.tag, try await tag(buttons.0, owner, hub), try await tag(buttons.1, admin, hub))
        setIDs(.twin, try await twin("porch-light", owner, house), try await twin("cellar-light", admin, house))
        setIDs(
            .pass, try await hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house).codes.guestID,
            try await hub.guests.invite(house.draft(), by: admin, call: nil, origin: .house).codes.guestID)
        ids[ResourceKey(kind: .person, thing: .superiors)] = names[0]
        if case .person(_, let sessionID) = owner { ids[ResourceKey(kind: .session, thing: .superiors)] = sessionID }
        for (index, principal) in people.enumerated() {
            guard case .person(let id, let sessionID) = principal else { continue }
            // The owner of another's object: the member's, and the inviter's for the member themselves.
            let other = index == 2 ? 3 : 2
            ids[ResourceKey(kind: .person, thing: .own, of: id)] = id
            ids[ResourceKey(kind: .person, thing: .anothers, of: id)] = names[other]
            ids[ResourceKey(kind: .session, thing: .own, of: id)] = sessionID
            if case .person(_, let othersSession) = people[other] {
                ids[ResourceKey(kind: .session, thing: .anothers, of: id)] = othersSession
            }
            ids[ResourceKey(kind: .job, thing: .own, of: id)] = try await job(of: id, house)
            if index < 2 { ids[ResourceKey(kind: .interview, thing: .own, of: id)] = try await house.interview(of: principal) }
            if index < 4 {
                let light = CommandRequest(
                    principal: principal, target: .device(id: "hall-light", entityID: nil, verb: .off), origin: .house)
                ids[ResourceKey(kind: .command, thing: .own, of: id)] = try await house.run(light).id
                ids[ResourceKey(kind: .token, thing: .own, of: id)] =
                    try await hub.apiTokens.make(.init(name: "Mine", items: nil, role: nil, expiresAt: nil), by: principal, origin: .house)
                    .token.id
                ids[ResourceKey(kind: .memory, thing: .own, of: id)] = try await memory(of: principal, house)
                ids[ResourceKey(kind: .passkey, thing: .own, of: id)] = try await passkey(of: principal, hub)
                ids[ResourceKey(kind: .notice, thing: .own, of: id)] = try await hub.notices.page(of: principal).notices.first?.id
                ids[ResourceKey(kind: .push, thing: .own, of: id)] = try await browser(of: principal, hub)
                ids[ResourceKey(kind: .phone, thing: .own, of: id)] = try await house.paired(try house.phone(), by: principal).tokens
                    .phoneID
            }
        }
        for (index, id) in names.enumerated() {
            let other = names[index == 2 ? 3 : 2]
            for kind in [ResourceKind.command, .memory, .job, .token, .passkey, .phone, .notice, .push] {
                ids[ResourceKey(kind: kind, thing: .anothers, of: id)] = ids[ResourceKey(kind: kind, thing: .own, of: other)]
            }
        }
        ids[ResourceKey(kind: .memory, thing: .anothers)] = ids[ResourceKey(kind: .memory, thing: .own, of: names[1])]
        for (index, id) in names.enumerated() {
            ids[ResourceKey(kind: .interview, thing: .anothers, of: id)] =
                ids[ResourceKey(kind: .interview, thing: .own, of: names[index == 0 ? 1 : 0])]
        }
        ids[ResourceKey(kind: .command, thing: .anothers)] = ids[ResourceKey(kind: .command, thing: .own, of: names[1])]
        // After everything that opens the back door: from here on it is a security device, and closed to guests.
        _ = try await hub.devices.edit("back-door", .init(isSecurityDevice: true, isGuestAccessible: false), by: owner, origin: .house)
        let asking = try await house.guest(house.draft(asksEachTime: true), by: owner)
        let askingToo = try await house.guest(house.draft(asksEachTime: true), by: owner)
        var asks: [String] = []
        for guest in [asking.who, askingToo.who] {
            guard case .command(let command, _) = try await hub.commands.submit(house.open(as: guest)) else { continue }
            asks.append(command.id)
        }
        setIDs(.ask, asks[0], asks[1])
        // At the end: the recorded entries are signed.
        for (principal, id) in zip(people, names) {
            ids[ResourceKey(kind: .entry, thing: .own, of: id)] = await entry(of: principal, hub)
            // The house's own actions are visible to those who run it only.
            ids[ResourceKey(kind: .entry, thing: .anothers, of: id)] = "1"
        }
        try await hub.auditCheckpointer.sign(at: house.clock.now)
    }

    /// An entry by or about a person. A caller who may see none is refused whatever they name.
    private func entry(of who: Principal, _ hub: Hub) async -> String {
        do {
            return try await hub.activity.entries(.init(limit: 500, isWhole: true), seenBy: who).last.map { String($0.id) } ?? "1"
        } catch { return "1" }
    }

    private func memory(of who: Principal, _ house: TestHouse) async throws -> String {
        let requester = MemoryRequester(try await house.hub.mindFeed.requester(who))
        let id = "memory_" + house.hub.environment.newID()
        let record = house.hub.mindFeed.recorder("memory.add", by: who, origin: .house)
        return try await house.mind.addMemory(.init(type: .semantic, content: "Mine"), id: id, by: requester, record: record).memory.id
    }

    private func room(_ name: String, _ who: Principal, _ hub: Hub) async throws -> String {
        try await hub.rooms.add(RoomTraits(name: name), position: nil, by: who, call: nil, origin: .house).0.id
    }

    private func event(_ source: String, _ who: Principal, _ house: TestHouse) async throws -> String {
        let draft = Events.Draft(source: source, type: "person", occurredAt: house.clock.now)
        return try await house.hub.events.record(draft, by: who, call: nil, origin: .house).event.id
    }

    private func camera(_ name: String, _ who: Principal, _ hub: Hub) async throws -> String {
        let source = Cameras.EndpointDraft(kind: "rtsp", url: "rtsp://192.168.1.20/stream")
        return try await hub.cameras.add(.init(name: name, source: source), by: who, call: nil, origin: .house).0.camera.id
    }

    private func webhook(_ who: Principal, _ hub: Hub) async throws -> String {
        try await hub.webhooks.create(.init(name: "Bell", make: "shelly"), by: who, origin: .house).webhook.id
    }

    private func scene(_ name: String, _ who: Principal, _ hub: Hub) async throws -> String {
        let item = CommandBatches.Item(deviceID: "hall-light", entityID: nil, action: "on", value: nil, transition: nil)
        return try await hub.scenes.add(.init(name: name, icon: nil, actions: [item]), by: who, call: nil, origin: .house).0.id
    }

    /// Of a planned device.
    private func twin(_ device: String, _ who: Principal, _ house: TestHouse) async throws -> String {
        try await house.mind.twins.create(
            .init(deviceID: device, name: "Light", kind: "light"),
            seenBy: RequesterVisibility(of: try await house.hub.mindFeed.requester(who)),
            record: house.hub.mindFeed.recorder("twin.make", by: who, origin: .house)
        ).twin.id
    }

    private func task(_ who: Principal, _ hub: Hub) async throws -> String {
        try await hub.maintenance.add(
            .init(title: "Change the filter", dueOn: CalendarDay("2027-01-31"), recurrence: .monthly), by: who, call: nil, origin: .house
        ).0.id
    }

    private func automation(_ who: Principal, _ house: TestHouse) async throws -> String {
        try await house.automation(.init(name: "Out", triggers: [.presence(.lastLeaves)], actions: [house.lightOff]), by: who).id
    }

    private func button(_ who: Principal, _ hub: Hub) async throws -> String {
        let item = CommandBatches.Item(deviceID: "hall-light", action: "on")
        return try await hub.buttons.add(.init(title: "Light", action: item), by: who, call: nil, origin: .house).0.id
    }

    private func tag(_ button: String, _ who: Principal, _ hub: Hub) async throws -> String {
        let draft = Tags.Draft(pressing: .button(button), label: "Mirror", nature: .memory)
        return try await hub.tags.add(draft, by: who, call: nil, origin: .house).tag.id
    }

    private func browser(of who: Principal, _ hub: Hub) async throws -> String {
        let draft = PushSubscriptions.BrowserDraft(
            endpoint: "https://fcm.googleapis.com/fcm/send/\(person(who))",
            key: Base64URL.encode(P256.KeyAgreement.PrivateKey().publicKey.x963Representation),
            authentication: Base64URL.encode(Data(count: 16)))
        return try await hub.pushSubscriptions.register(draft, by: who, origin: .house).seen.id
    }

    private func passkey(of who: Principal, _ hub: Hub) async throws -> String {
        let party = RelyingParty(id: "localhost", origins: ["http://localhost"])
        let options = try await hub.passkeys.creationOptions(at: party, by: who, origin: .house)
        let made = try SoftwareAuthenticator(userHandle: options.handle).registrationResponse(
            options.challenge, rpID: party.id, origin: "http://localhost")
        let new = Passkeys.Attestation(clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: [])
        return try await hub.passkeys.register(new, name: "Key", at: party, by: who, origin: .house).id
    }
}

/// Another house, with the ids and tokens that a caller could bring along.
struct ForeignHouse: Sendable {
    let owner: Secret
    let guest: Secret
    let program: Secret
    let ids: [MatrixCallers.ResourceKey: String]

    init(_ house: TestHouse) async throws {
        let (who, tokens) = try await house.claim()
        owner = tokens.access
        let paired = try await house.guest(house.draft(), by: who)
        guest = paired.token
        let (token, secret) = try await house.hub.apiTokens.make(
            .init(name: "Theirs", items: nil, role: nil, expiresAt: nil), by: who, origin: .house)
        program = secret
        guard case .person(let personID, let sessionID) = who else { throw CancellationError() }
        let command = try await house.run(house.unlock(as: who))
        let waiting = try await house.guest(house.draft(asksEachTime: true), by: who)
        guard case .command(let ask, _) = try await house.hub.commands.submit(house.open(as: waiting.who)) else {
            throw CancellationError()
        }
        let room = try await house.hub.rooms.add(RoomTraits(name: "Cellar"), position: nil, by: who, call: nil, origin: .house).0.id
        let item = CommandBatches.Item(deviceID: "hall-light", entityID: nil, action: "on", value: nil, transition: nil)
        let scene = try await house.hub.scenes.add(
            .init(name: "Theirs", icon: nil, actions: [item]), by: who, call: nil, origin: .house
        ).0.id
        let automation = try await house.automation(
            .init(name: "Theirs", triggers: [.presence(.lastLeaves)], actions: [house.lightOff]), by: who
        ).id
        let seen = Events.Draft(source: "bell", type: "person", occurredAt: house.clock.now)
        let event = try await house.hub.events.record(seen, by: who, call: nil, origin: .house).event.id
        let camera = try await house.hub.cameras.add(
            .init(name: "Theirs", source: .init(kind: "rtsp", url: "rtsp://192.168.1.20/s")), by: who, call: nil, origin: .house
        ).0.camera.id
        let button = try await house.hub.buttons.add(.init(title: "Theirs", action: item), by: who, call: nil, origin: .house).0.id
        let tag = try await house.hub.tags.add(
            .init(pressing: .button(button), label: nil, nature: .memory), by: who, call: nil, origin: .house
        ).tag.id
        let found: [(MatrixCallers.ResourceKind, String)] = [
            (.button, button), (.tag, tag), (.automation, automation), (.memory, "memory_of_another_house"), (.job, "job_of_another_house"),
            (.event, event),
            (.device, "door-2"), (.sensor, "door-2"), (.entity, "lock.door_2"), (.command, command.id), (.ask, ask.id),
            (.pass, paired.id), (.scene, scene), (.camera, camera), (.room, room), (.person, personID), (.session, sessionID),
            (.token, token.id),
            (.passkey, "passkey_of_another_house"), (.phone, "phone_of_another_house"), (.notice, "notice_of_another_house"),
            (.push, "push_of_another_house"), (.interview, try await house.interview(of: who)),
            (.webhook, "webhook_of_another_house"), (.twin, "twin_of_another_house"), (.entry, "900000"), (.task, "task_of_another_house"),
        ]
        ids = Dictionary(
            uniqueKeysWithValues: found.map { (MatrixCallers.ResourceKey(kind: $0.0, thing: .otherHouses), $0.1) })
    }
}
