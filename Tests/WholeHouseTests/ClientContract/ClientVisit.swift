import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import HTTPTypes
import Testing

/// Everything that can be asked through the client, once, in a house that has an answer.
struct ClientVisit {
    let house: TestHouse
    let witness: Witness
    private let line: Overheard
    private let owner: CardeaClient
    private let sessions = MemorySessionStore()

    init(house: TestHouse, line: Overheard, witness: Witness) throws {
        self.house = house
        self.line = line
        self.witness = witness
        owner = CardeaClient(hub: try HubAddress("http://localhost"), transport: line, sessions: sessions, resilience: .none)
    }

    func everything() async throws {
        try await comingIn()
        try await things()
        try await roomsAndScenes()
        try await buttonsAndTags()
        try await mind()
        try await automations()
        try await privacy()
        try await maintenance()
        try await events()
        try await notices()
        try await cameras()
        try await guests()
        try await boundGuest()
        try await waitingGuests()
        try await phones()
        try await people()
        try await integrations()
        try await lookingBack()
        try await goingOut()
    }

    private func client(_ sessions: MemorySessionStore = MemorySessionStore()) throws -> CardeaClient {
        CardeaClient(hub: try HubAddress("http://localhost"), transport: line, sessions: sessions, resilience: .none)
    }

    private func comingIn() async throws {
        try await witness.reads(as: ClaimState.self) { try await owner.sessions.isClaimed() }
        let token = try #require(try await house.hub.house.newClaimToken())
        let claim = ClaimBody(
            claimToken: token.reveal(), username: "owner", password: TestHouse.password.reveal(), houseName: "Lime House",
            timeZone: "Europe/Berlin")
        try await witness.reads(as: TokensAnswer.self) { try await owner.sessions.claim(claim) }
        try await witness.reads(as: TokensAnswer.self) {
            try await owner.sessions.login(username: "owner", password: TestHouse.password)
        }
        try await witness.reads { try await owner.sessions.stepUp(password: TestHouse.password) }
        try await witness.reads(as: OpenSessionsAnswer.self) { try await owner.sessions.open() }
        try await witness.reads(as: RevokedAnswer.self) { try await owner.sessions.endOthers() }
        let other = try client()
        try await other.sessions.login(username: "owner", password: TestHouse.password)
        let others = try await owner.sessions.open().filter { !$0.current }
        await witness.asks { try await owner.sessions.end(others.first?.sessionID ?? "") }
        try await renewal()
        let made = try await witness.reads {
            try await owner.apiTokens.make(
                MakeAPITokenBody(
                    name: "Watch", grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])], role: "member",
                    expiresAt: house.clock.now.addingTimeInterval(86_400)))
        }
        try await witness.reads { try await owner.apiTokens.list() }
        await witness.asks { try await owner.apiTokens.revoke(made.tokenID) }
    }

    private func renewal() async throws {
        let old = try #require(await sessions.load())
        try await sessions.save(Session(accessToken: old.accessToken, refreshToken: old.refreshToken, expiresAt: .distantPast))
        _ = try await owner.people.me()
        let renewed = try #require(line.exchanges.last { $0.request.url.path.hasSuffix("/refresh") })
        let tokens = try Wire.read(TokensAnswer.self, from: renewed.response.body)
        #expect(tokens.refreshToken != nil && tokens.accessToken != old.accessToken.reveal())
    }

    private func things() async throws {
        try await witness.reads { try await owner.house.about() }
        let known = ChangeHouseBody(
            name: "Lime House", timeZone: "Europe/Berlin", numberOfFloors: 2, preferences: .init(HousePreferences()),
            asksAnsweredBy: .inviters)
        try await witness.reads { try await owner.house.change(known) }
        await witness.asks { _ = try await owner.house.certificate() }
        try promises(CertificateAnswer.self, "GET", "/api/v1/house/certificate")
        await witness.asks { _ = try await owner.house.health() }
        try await witness.reads { try await owner.devices.list(status: "online") }
        try await witness.reads { try await owner.devices.one("hall-light") }
        await witness.asks { _ = try await owner.devices.picture(of: "light.hall", on: "hall-light") }
        try await witness.reads {
            try await owner.devices.change(
                "hall-light", ChangeDeviceBody(name: "Lamp", isSecurityDevice: false, isGuestAccessible: true), seen: 1)
        }
        try await witness.reads { try await owner.devices.waysIn("front-door") }
        await witness.asks { _ = try await owner.devices.say(sameDoor: true, of: ["lock.front_door"], on: "front-door") }
        await witness.asks { _ = try await owner.devices.say(sameDoor: false, on: "front-door") }
        try await witness.reads { try await owner.devices.replaceable(by: "front-door") }
        await witness.asks { _ = try await owner.devices.merge("front-door", with: "back-door") }
        await witness.asks { _ = try await owner.devices.replace("lock.none", by: "lock.front_door", of: "front-door") }
        let command = DeviceCommand("hall-light", "on", entityID: "light.hall", transitionTime: 250)
        let answer = try await witness.reads { try await owner.devices.ask(command) }
        try await witness.reads(as: CommandAnswer.self) { try await owner.devices.control(DeviceCommand("front-door", "unlock")) }
        try await witness.reads { try await owner.devices.command(answer.commandID) }
        let (from, to) = (house.clock.now.addingTimeInterval(-3600), house.clock.now)
        try await witness.reads { try await owner.readings.history(of: "hall-sensor", from: from, to: to) }
        try await witness.reads { try await owner.readings.energy(from: from, to: to) }
        try await witness.reads { try await owner.readings.environment(from: from, to: to) }
    }

    private func roomsAndScenes() async throws {
        var body = RoomBody(name: "Hall")
        body.floor = 1
        let room = try await witness.reads { try await owner.rooms.add(body) }
        try await witness.reads { try await owner.rooms.list() }
        try await witness.reads { try await owner.rooms.one(room.roomID) }
        try await witness.reads { try await owner.rooms.replace(room.roomID, RoomBody(room, named: "Entrance"), seen: room.version) }
        let actions = [DeviceActionBody(deviceID: "hall-light", entityID: nil, action: "on", value: nil, transitionTime: 100)]
        let scene = try await witness.reads { try await owner.scenes.make(SceneBody(name: "Evening", icon: "moon", actions: actions)) }
        try await witness.reads { try await owner.scenes.list() }
        try await witness.reads {
            try await owner.scenes.replace(scene.sceneID, SceneBody(name: "Night", actions: actions), seen: scene.version)
        }
        try await witness.reads { try await owner.scenes.run(scene.sceneID) }
        await witness.asks { try await owner.scenes.remove(scene.sceneID) }
    }

    private func automations() async throws {
        await house.mind.look(isAsked: true)
        var mine = AutomationBody(
            name: "Out", triggers: [.presence(.lastLeaves)], conditions: [.home(anybody: false)],
            actions: [.control(DeviceAction(deviceID: "front-door", verb: .lock)), .notify(words: "Everybody has left.", to: .owner)])
        let made = try await witness.reads { try await owner.automations.add(mine) }
        try await witness.reads { try await owner.automations.list() }
        try await witness.reads { try await owner.automations.show(made.automationID) }
        house.clock.advance(by: 10)
        try await witness.reads { try await owner.people.say(isHome: false) }
        await house.mind.look(isAsked: true)
        await house.mind.automations.carryOut()
        let history = try await witness.reads { try await owner.automations.history(made.automationID, limit: 10) }
        #expect(history.runs.first?.outcomes.map(\.status) == ["confirmed", "told"])
        let trial = try await witness.reads { try await owner.automations.dryRun(made.automationID, days: 1) }
        #expect(trial.total == 1)
        mine.isOn = false
        try await witness.reads { try await owner.automations.replace(made.automationID, mine, seen: made.version) }
        await witness.asks { try await owner.automations.remove(made.automationID) }
    }

    private func maintenance() async throws {
        var body = MaintenanceBody(title: "Change the filter", dueOn: CalendarDay("2026-12-31"), recurrence: .monthly)
        (body.category, body.deviceID, body.roomID, body.notes) = (
            .heating, "hall-light", try await owner.rooms.list().rooms.first?.roomID, "In the cellar"
        )
        let made = try await witness.reads { try await owner.maintenance.add(body) }
        try await witness.reads { try await owner.maintenance.list() }
        try await witness.reads { try await owner.maintenance.one(made.taskID) }
        let changed = try await witness.reads {
            try await owner.maintenance.change(made.taskID, ChangeMaintenanceBody(title: "Change both filters"), seen: made.version)
        }
        let done = CompleteMaintenanceBody(
            cost: Money(minor: 1299, currency: "EUR").map(MoneyBody.init), notes: "Filter G4", serviceProvider: "Air & Sons")
        try await witness.reads { try await owner.maintenance.complete(made.taskID, done, seen: changed.version) }
        try await witness.reads { try await owner.maintenance.history(made.taskID) }
        await witness.asks { try await owner.maintenance.remove(made.taskID) }
    }

    private func privacy() async throws {
        try await witness.reads { try await owner.privacy.mine() }
        try await witness.reads { try await owner.privacy.retention() }
        try await witness.reads { try await owner.privacy.backups() }
        try await witness.reads { try await owner.privacy.keep(["notices": 20]) }
        let me = try await owner.people.me().personID
        // This house keeps no files: what is asked is looked at, and what would be answered is promised.
        await witness.asks { _ = try await owner.privacy.export(me) }
        try promises(JobAnswer.self, "POST", "/api/v1/people/{id}/export", status: 202)
        try await witness.reads(as: ErasedAnswer.self) { try await owner.privacy.keepsReplica() }
        let guest = try await owner.guests.invite(invitation("Leaving")).guestID
        await witness.asks { _ = try await owner.privacy.export(guest: guest) }
        try promises(JobAnswer.self, "POST", "/api/v1/guests/{id}/export", status: 202)
        try await witness.reads { try await owner.privacy.erase(guest: guest) }
        let gone = try await owner.people.invite(name: "Gone", role: "member").person.personID
        let erased = try await witness.reads { try await owner.privacy.erase(gone) }
        try await house.hub.jobs.runAll()
        try await witness.reads { try await owner.privacy.jobs() }
        try await witness.reads { try await owner.privacy.job(erased.jobID) }
        await witness.asks { _ = try await owner.privacy.stop(erased.jobID) }
        try promises(JobAnswer.self, "DELETE", "/api/v1/jobs/{id}")
    }

    private func mind() async throws {
        try await witness.reads(as: CommandAnswer.self) { try await owner.devices.control(DeviceCommand("hall-light", "on")) }
        await house.mind.look(isAsked: true)
        try await witness.reads { try await owner.mind.ask("is anything on?", in: "visit") }
        try await witness.reads { try await owner.mind.status() }
        try await witness.reads { try await owner.mind.emotions() }
        try await witness.reads { try await owner.mind.loops() }
        try await witness.reads { try await owner.mind.trigger("house") }
        let told = try await witness.reads { try await owner.mind.memories.remember(RememberBody(content: "The boiler was serviced")) }
        try await witness.reads { try await owner.mind.memories.list(.init(words: "boiler")) }
        try await witness.reads { try await owner.mind.memories.one(told.memoryID) }
        var change = ChangeMemoryBody()
        change.isPinned = true
        try await witness.reads { try await owner.mind.memories.change(told.memoryID, change, seen: told.memory.version) }
        await witness.asks { try await owner.mind.memories.forget(told.memoryID) }
        try await interview()
    }

    private func interview() async throws {
        let id = try await witness.reads { try await owner.interviews.start() }.interviewID
        let told = try await witness.reads { try await owner.interviews.say("A Hue lamp in the hall and a fan in the attic.", to: id) }
        try await witness.reads {
            try await owner.interviews.say("There is an old gate that is not connected.", to: id, seen: told.version)
        }
        let wished = told.discoveredCandidates.map(\.id)
        try await witness.reads { try await owner.interviews.confirm(Array(wished.prefix(1)), reject: Array(wished.suffix(1)), in: id) }
        try await witness.reads { try await owner.interviews.list() }
        try await witness.reads { try await owner.interviews.status(id) }
        try await witness.reads { try await owner.interviews.conversation(id) }
        try await witness.reads { try await owner.interviews.pause(id) }
        try await witness.reads { try await owner.interviews.resume(id) }
        await witness.asks { try await owner.interviews.cancel(id) }
        try await witness.reads { try await owner.twins.list(of: "hall-light", fidelityLevel: "advanced") }
        let plan = TwinBody(deviceID: "porch-light", fidelityLevel: "advanced", config: TwinPlanBody(name: "Porch", kind: "light"))
        let twin = try await witness.reads { try await owner.twins.make(plan) }
        try await witness.reads { try await owner.twins.one(twin.twinID) }
        await witness.asks { try await owner.twins.remove(twin.twinID) }
        let asked = WhatIfBody(
            scenario: "Dark", changes: ["device": ["hall-light": ["power": "off"]]], duration: "8h", metrics: ["energy"],
            from: house.clock.now)
        try await witness.reads { try await owner.twins.whatIf(asked) }
    }

    private func buttonsAndTags() async throws {
        let body = ButtonBody(title: "Light", action: DeviceActionBody(deviceID: "hall-light", action: "on"), countdown: 3)
        let button = try await witness.reads { try await owner.buttons.make(body) }
        try await witness.reads { try await owner.buttons.list() }
        try await witness.reads { try await owner.buttons.one(button.buttonID) }
        let changed = try await witness.reads { try await owner.buttons.replace(button.buttonID, body, seen: button.version) }
        try await witness.reads { try await owner.buttons.press(button.buttonID) }
        let tag = try await witness.reads {
            try await owner.tags.add(AddTagBody(kind: .static, buttonID: button.buttonID, label: "Mirror"))
        }
        let id = try #require(tag.tagID)
        let sun = AddTagBody(
            kind: .sun, buttonID: button.buttonID, uid: "04DE5F1EACC040", names: TagLinkNames(piccData: "e", enc: "d", cmac: "c"))
        let proving = try await witness.reads { try await owner.tags.add(sun) }
        try await rekeying(try #require(proving.tagID))
        try await witness.reads { try await owner.tags.list() }
        try await witness.reads { try await owner.tags.one(id) }
        try await witness.reads { try await owner.tags.label(id, "Wall") }
        try await witness.reads { try await owner.tags.renew(id, label: "Shelf", seen: changed.version) }
        try await witness.reads { try await owner.tags.look(tag.url) }
        try await witness.reads { try await owner.tags.tap(tag.url) }
        try await witness.reads { try await owner.tags.tap(tag.url, isConfirmed: true) }
        let pending = AddTagBody(kind: .static, buttonID: button.buttonID, pending: true, replaces: id)
        let written = try await witness.reads { try await owner.tags.add(pending) }
        let writtenID = try #require(written.tagID)
        try await witness.reads { try await owner.tags.promote(writtenID, readBack: written.url) }
        let live = try await witness.reads { try await owner.tags.add(AddTagBody(kind: .live, buttonID: button.buttonID)) }
        try await witness.reads { try await owner.tags.tap(live.url) }
        let grant = GrantBody(deviceID: "hall-light", actions: ["off"])
        try await witness.reads { try await owner.tags.add(AddTagBody(kind: .static, grant: grant)) }
        try await witness.reads { try await owner.tags.policy() }
        try await witness.reads { try await owner.tags.change(TagPolicy(control: .atOnce)) }
        await witness.asks { try await owner.tags.remove(writtenID) }
        await witness.asks { try await owner.buttons.regenerate(button.buttonID) }
        var says = PublishBody(topic: "home/garage", message: "%T", risk: .control)
        (says.signed, says.timestampKey) = (true, "00112233445566778899aabbccddeeff")
        let publishing = try await witness.reads { try await owner.buttons.make(ButtonBody(title: "Garage", publish: says)) }
        try await witness.reads { try await owner.buttons.newSigningKey(publishing.buttonID) }
        await witness.asks { try await owner.buttons.remove(button.buttonID) }
    }

    /// A chip gets other keys, and says so itself.
    private func rekeying(_ id: String) async throws {
        let keys = try await witness.reads { try await owner.tags.rekey(id) }
        var chip = SoftTag(
            uid: try #require(Hexadecimal.decode(keys.uid)), meta: try TagKey(hex: Secret(keys.metaKey)),
            file: try TagKey(hex: Secret(keys.fileKey)), names: .init(picc: "e", enc: "d", cmac: "c"))
        let link = try chip.touch(keys.url)
        try await witness.reads { try await owner.tags.finishRekeying(id, readBack: link) }
    }

    private func events() async throws {
        let seen = RecordEventBody(source: "bell", type: "ring", description: "Somebody rang", confidence: 90, occurredAt: house.clock.now)
        let event = try await witness.reads { try await owner.events.record(seen) }
        try await witness.reads { try await owner.events.list(.init(type: "ring", words: "rang")) }
        try await witness.reads { try await owner.events.recent() }
        try await witness.reads { try await owner.events.one(event.id) }
        try await witness.reads { try await owner.events.incidents() }
        // This house keeps no pictures; what would be answered is looked at where one does.
        await witness.asks { _ = try await owner.events.thumbnail(of: event.id) }
        await witness.asks { _ = try await owner.events.picture(of: event.id) }
        await witness.asks { try await owner.events.remove(event.id) }
    }

    private func cameras() async throws {
        let source = CameraSourceBody(kind: .rtsp, url: "rtsp://192.168.1.20/stream")
        let camera = try await witness.reads { try await owner.cameras.add(AddCameraBody(name: "Porch", source: source)) }
        try await witness.reads { try await owner.cameras.list() }
        try await witness.reads { try await owner.cameras.one(camera.cameraID) }
        let changed = try await witness.reads {
            try await owner.cameras.change(camera.cameraID, ChangeCameraBody(name: "Yard"), seen: camera.version)
        }
        await witness.asks { _ = try await owner.cameras.snapshot(of: camera.cameraID) }
        let webhook = try await witness.reads {
            try await owner.webhooks.make(MakeWebhookBody(name: "Bell", make: .doorbird, cameraID: camera.cameraID))
        }
        try await witness.reads { try await owner.webhooks.list() }
        await witness.asks { try await owner.webhooks.revoke(webhook.webhookID) }
        await witness.asks { try await owner.cameras.remove(camera.cameraID, seen: changed.version) }
    }

    private func invitation(_ name: String, asks: Bool = false, waits: Bool = false) -> InviteGuestBody {
        InviteGuestBody(
            name: name, grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])],
            expiresAt: house.clock.now.addingTimeInterval(4 * 3600), maxUses: 3, requiresApproval: waits, asksEachTime: asks)
    }

    private func guests() async throws {
        let guest = try await witness.reads { try await owner.guests.invite(invitation("Plumber")) }
        try await witness.reads { try await owner.guests.list() }
        let code = Secret(try await witness.reads { try await owner.guests.newCode(guest.guestID) }.pairingCode)
        try await witness.reads { try await owner.guestAccess.acknowledgeScan(code: code) }
        guard case .granted(let taken) = try await witness.reads(as: GuestPassAnswer.self, { try await owner.guestAccess.pair(code: code) })
        else { throw CancellationError() }
        try await witness.reads { try await owner.guestAccess.pass(token: taken.token) }
        try await witness.reads { try await owner.guestAccess.validate(token: taken.token) }
        try await witness.reads { try await owner.guestAccess.states(token: taken.token) }
        try await witness.reads(as: GuestActionAnswer.self) {
            try await owner.guestAccess.act(GuestAction("door.open", entityID: "lock.front_door"), token: taken.token)
        }
        try await witness.reads { try await owner.guests.one(guest.guestID) }
        try await witness.reads { try await owner.guests.decide(.suspend, about: guest.guestID) }
        try await witness.reads { try await owner.guests.decide(.resume, about: guest.guestID) }
        try await witness.reads { try await owner.guests.decide(.revoke, about: guest.guestID) }
        try await witness.reads { try await owner.guests.revokeAll() }
    }

    private func notices() async throws {
        let ring = RecordEventBody(source: "bell", type: "ring", occurredAt: house.clock.now)
        _ = try await owner.events.record(ring)
        try await house.hub.courier.tell()
        let page = try await witness.reads { try await owner.notices.list() }
        try await witness.reads { try await owner.notices.acknowledge(page.notices.first?.noticeID ?? "") }
        try await witness.reads { try await owner.notices.acknowledgeAll() }
        var body = NotificationsBody()
        body.quietHours = try TimeOfDay("22:00").map {
            QuietHoursBody(from: $0, to: try #require(TimeOfDay("07:00")), timeZone: "Europe/Berlin")
        }
        try await witness.reads { try await owner.notices.change(body) }
        try await witness.reads { try await owner.notices.preferences() }
        let keys = PushKeysBody(
            p256dh: Base64URL.encode(P256.KeyAgreement.PrivateKey().publicKey.x963Representation), auth: Base64URL.encode(Data(count: 16)))
        let browser = RegisterBrowserBody(subscription: .init(endpoint: "https://fcm.googleapis.com/fcm/send/x", keys: keys))
        let place = try await witness.reads { try await owner.notices.register(browser) }
        try await witness.reads { try await owner.notices.push() }
        await witness.asks { try await owner.notices.remove(place.id) }
    }

    private func phones() async throws {
        _ = try await owner.sessions.stepUp(password: TestHouse.password)
        let kept = MemorySessionStore()
        let app = try client(kept)
        let phone = try PhoneWords(deviceID: UUID().uuidString, name: "Ada's phone", model: "iPhone 17", platform: .ios)
        let asked = try await witness.reads(as: PairPhoneAnswer.self) { try await app.phonePairing.ask(phone) }
        try await witness.reads(as: WaitingPhonesAnswer.self) { try await owner.phones.waiting() }
        try await witness.reads { try await owner.phones.confirm(PairingDigits.shown(asked.digits)) }
        try await witness.reads { try await app.phonePairing.standing(asked) }
        #expect(try await app.phonePairing.confirmed(asked))
        let id = try await witness.reads(as: PhoneTokensAnswer.self) { try await app.phonePairing.finish(asked) }
        let old = try #require(await kept.load())
        try await kept.save(Session(accessToken: old.accessToken, refreshToken: old.refreshToken, expiresAt: .distantPast))
        #expect(try await app.people.me().username == "owner")
        let renewed = try #require(line.exchanges.last { $0.request.url.path.hasSuffix("/mobile/auth/refresh") })
        #expect(try Wire.read(PhoneTokensAnswer.self, from: renewed.response.body).deviceID == id)
        let apple = RegisterPhonePushBody(deviceToken: String(repeating: "0f", count: 32), deviceID: phone.deviceID)
        try await witness.reads { try await app.notices.register(apple) }
        await witness.asks { try await app.notices.unregister() }
        try await witness.reads { try await owner.phones.invitation() }
        try await witness.reads(as: PhonesAnswer.self) { try await owner.phones.list() }
        try await witness.reads { try await owner.phones.rename(id, to: "Tablet") }
        await witness.asks { try await owner.phones.remove(id) }
        try await witness.reads(as: RevokedPhonesAnswer.self) { try await owner.phones.removeAll() }
        _ = try await app.phonePairing.ask(phone)
        let waiting = try await owner.phones.waiting()
        await witness.asks { try await owner.phones.reject(waiting.first?.pairingID ?? "") }
    }

    /// Those for whom somebody of the house says yes, or no.
    private func boundGuest() async throws {
        let guest = try await owner.guests.invite(invitation("Cleaner"))
        let (code, key) = (Secret(guest.link?.split(separator: "#").last.map(String.init) ?? ""), GuestKey())
        guard
            case .granted(let taken) = try await witness.reads(
                as: GuestPassAnswer.self, { try await owner.guestAccess.pair(code: code, key: key) })
        else { throw CancellationError() }
        _ = try await owner.guestAccess.act(GuestAction("door.open", entityID: "lock.front_door"), token: taken.token, key: key)
    }

    private func waitingGuests() async throws {
        for isWelcome in [true, false] {
            let guest = try await owner.guests.invite(invitation("Gardener", waits: true))
            let code = Secret(guest.link?.split(separator: "#").last.map(String.init) ?? "")
            try await witness.reads(as: PendingApproval.self) { try await owner.guestAccess.pair(code: code) }
            try await witness.reads { try await owner.guests.decide(isWelcome ? .approve : .reject, about: guest.guestID) }
        }
        let guest = try await owner.guests.invite(invitation("Courier", asks: true))
        let code = Secret(guest.link?.split(separator: "#").last.map(String.init) ?? "")
        guard case .granted(let taken) = try await owner.guestAccess.pair(code: code) else { throw CancellationError() }
        try await witness.reads(as: PendingApproval.self) { try await owner.guestAccess.act(GuestAction("door.open"), token: taken.token) }
        let asked = try #require(try await witness.reads { try await owner.access.asks() }.asks.first?.commandID)
        await witness.asks { try await owner.access.answer(command: asked, yes: true) }
        guard case .waiting(let second) = try await owner.guestAccess.act(GuestAction("door.open"), token: taken.token),
            let number = second.commandID
        else { throw CancellationError() }
        try await witness.reads { try await owner.guestAccess.takeBack(number, token: taken.token) }
        try await witness.reads {
            try await owner.access.explain(ExplainBody(guestID: guest.guestID, deviceID: "front-door", action: "door.open"))
        }
    }

    private func people() async throws {
        let person = try await witness.reads { try await owner.people.invite(name: "Ada", role: "member") }
        let personID = person.person.personID
        let invited = try await witness.reads { try await owner.people.newInvitation(personID) }
        let invitation = Secret(invited.inviteLink.split(separator: "#").last.map(String.init) ?? "")
        let ada = try client()
        try await witness.reads(as: TokensAnswer.self) {
            try await ada.sessions.accept(invitation: invitation, username: "ada", password: TestHouse.password)
        }
        try await witness.reads { try await ada.people.me() }
        let persons = ScriptedPersons([PresenceSource(key: "e1", entityID: "person.ada", name: "Ada", presence: nil)])
        house.hub.integrations.add(persons)
        try await witness.reads { try await ada.people.linkPresence(to: "person.ada") }
        try await witness.reads { try await ada.people.presenceSource() }
        await witness.asks { try await ada.people.unlinkPresence() }
        try await witness.reads { try await owner.people.list() }
        try await witness.reads { try await owner.people.change(personID, ChangePersonBody(name: "Ada L", canInviteGuests: true)) }
        await witness.asks { try await ada.people.changePassword(from: TestHouse.password, to: Secret("another good password")) }
        await witness.asks { try await owner.people.remove(personID) }
    }

    private func integrations() async throws {
        try await witness.reads { try await owner.integrations.list() }
        house.hub.integrations.look(with: ScriptedNeighbours.everything)
        try await witness.reads { try await owner.integrations.nearby() }
        // None is known to this house: what is asked is looked at, and what would be answered is promised.
        await witness.asks { _ = try await owner.integrations.setMQTT(MQTTSettingsBody(host: "broker.test", port: 8883)) }
        try promises(IntegrationAnswer.self, "PUT", "/api/v1/integrations/mqtt")
        await witness.asks { try await owner.integrations.removeMQTT() }
        await witness.asks { _ = try await owner.integrations.mqtt() }
        try promises(MQTTIntegrationAnswer.self, "GET", "/api/v1/integrations/mqtt")
        await witness.asks { _ = try await owner.integrations.announcement(at: "homeassistant/lock/x/config") }
        try promises(AnnouncementAnswer.self, "GET", "/api/v1/integrations/mqtt/announcement")
        await witness.asks { _ = try await owner.integrations.check(announcement: "{}", at: "homeassistant/lock/x/config") }
        try promises(AnnouncementCheckAnswer.self, "POST", "/api/v1/integrations/mqtt/check-announcement")
        await witness.asks { _ = try await owner.integrations.setEndpoint(EndpointSettingsBody(host: "broker.test")) }
        try promises(IntegrationAnswer.self, "PUT", "/api/v1/integrations/endpoint")
        await witness.asks { try await owner.integrations.removeEndpoint() }
        await witness.asks { _ = try await owner.integrations.setHomeAssistant(HomeAssistantSettingsBody(url: "http://ha.test:8123")) }
        try promises(IntegrationAnswer.self, "PUT", "/api/v1/integrations/home-assistant")
    }

    private func lookingBack() async throws {
        try await witness.reads { try await owner.access.activity(.init(limit: 50)) }
        let trail = try await witness.reads { try await owner.audit.entries(.init(result: "done"), limit: 50) }
        _ = try await house.hub.notary.sign(at: house.clock.now)
        try await witness.reads { try await owner.audit.checkpoint() }
        try await witness.reads { try await owner.audit.checkpoint(from: 1) }
        try await witness.reads { try await owner.audit.proof(of: try #require(trail.entries.last).id) }
        try await changes()
    }

    /// A device and a command are read from the journal into the same types; all else is carried as it is.
    private func changes() async throws {
        _ = try await owner.changes.now()
        let page = try await owner.changes.after(0)
        let sent = try JSONDecoder().decode(JSONValue.self, from: try #require(line.exchanges.last).response.body)
        #expect(Set(sent.members.keys) == ["changes", "next", "more"])
        for (event, said) in zip(page.events, sent["changes"]?.elements ?? []) {
            let read: JSONValue =
                switch event.content {
                case .device(let device, _): try JSONDecoder().decode(JSONValue.self, from: Wire.encode(device))
                case .command(let command): try JSONDecoder().decode(JSONValue.self, from: Wire.encode(command))
                case .other(let data): data
                }
            #expect(Witness.drift(said["data"] ?? .null, read) == [], "\(event.name)")
            #expect(AsyncContract.problems(ofFrame: said) == [])
        }
        #expect(page.events.contains { if case .device = $0.content { true } else { false } })
        #expect(page.events.contains { if case .command = $0.content { true } else { false } })
    }

    private func goingOut() async throws {
        try await owner.sessions.logout()
        #expect(try await !owner.sessions.isSignedIn())
    }

    private func promises<Answer: Codable>(_: Answer.Type, _ method: String, _ path: String, status: Int = 200) throws {
        let operation = try #require(
            witness.contract.operations.first { $0.method.rawValue == method && $0.path == path })
        witness.promises(Answer.self, operation, status: status)
    }
}
