import CardeaAPI
import CardeaAutomations
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

/// Every call of the client, once, in a house that has an answer.
struct ClientExerciser {
    let house: TestHouse
    let checker: ContractChecker
    private let recorder: RecordingTransport
    private let owner: CardeaClient
    private let sessions = MemorySessionStore()

    init(house: TestHouse, line: RecordingTransport, witness: ContractChecker) throws {
        self.house = house
        self.recorder = line
        self.checker = witness
        owner = CardeaClient(hub: try HubAddress("http://localhost"), transport: line, sessions: sessions, resilience: .none)
    }

    func exerciseAll() async throws {
        try await signIn()
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
        try await activity()
        try await signOut()
    }

    private func client(_ sessions: MemorySessionStore = MemorySessionStore()) throws -> CardeaClient {
        CardeaClient(hub: try HubAddress("http://localhost"), transport: recorder, sessions: sessions, resilience: .none)
    }

    private func signIn() async throws {
        try await checker.checkRead(as: ClaimState.self) { try await owner.sessions.isClaimed() }
        let token = try #require(try await house.hub.house.newClaimToken())
        let claim = ClaimBody(
            claimToken: token.reveal(), username: "owner", password: TestHouse.password.reveal(), houseName: "Lime House",
            timeZone: "Europe/Berlin")
        try await checker.checkRead(as: TokensAnswer.self) { try await owner.sessions.claim(claim) }
        try await checker.checkRead(as: TokensAnswer.self) {
            try await owner.sessions.login(username: "owner", password: TestHouse.password)
        }
        try await checker.checkRead { try await owner.sessions.stepUp(password: TestHouse.password) }
        try await checker.checkRead(as: OpenSessionsAnswer.self) { try await owner.sessions.open() }
        try await checker.checkRead(as: RevokedAnswer.self) { try await owner.sessions.endOthers() }
        let other = try client()
        try await other.sessions.login(username: "owner", password: TestHouse.password)
        let others = try await owner.sessions.open().filter { !$0.current }
        await checker.checkRequest { try await owner.sessions.end(others.first?.sessionID ?? "") }
        try await renewal()
        let made = try await checker.checkRead {
            try await owner.apiTokens.create(
                MakeAPITokenBody(
                    name: "Watch", grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])], role: "member",
                    expiresAt: house.clock.now.addingTimeInterval(86_400)))
        }
        try await checker.checkRead { try await owner.apiTokens.list() }
        await checker.checkRequest { try await owner.apiTokens.revoke(made.tokenID) }
    }

    private func renewal() async throws {
        let old = try #require(await sessions.load())
        try await sessions.save(Session(accessToken: old.accessToken, refreshToken: old.refreshToken, expiresAt: .distantPast))
        _ = try await owner.people.me()
        let renewed = try #require(recorder.exchanges.last { $0.request.url.path.hasSuffix("/refresh") })
        let tokens = try WireFormat.read(TokensAnswer.self, from: renewed.response.body)
        #expect(tokens.refreshToken != nil && tokens.accessToken != old.accessToken.reveal())
    }

    private func things() async throws {
        try await checker.checkRead { try await owner.house.get() }
        let known = ChangeHouseBody(
            name: "Lime House", timeZone: "Europe/Berlin", numberOfFloors: 2, preferences: .init(HousePreferences()),
            asksAnsweredBy: .inviters)
        try await checker.checkRead { try await owner.house.change(known) }
        await checker.checkRequest { _ = try await owner.house.certificate() }
        try checkDocumentedAnswer(CertificateAnswer.self, "GET", "/api/v1/house/certificate")
        await checker.checkRequest { _ = try await owner.house.health() }
        try await checker.checkRead { try await owner.devices.list(status: "online") }
        try await checker.checkRead { try await owner.devices.get("hall-light") }
        await checker.checkRequest { _ = try await owner.devices.picture(of: "light.hall", on: "hall-light") }
        try await checker.checkRead {
            try await owner.devices.change(
                "hall-light", ChangeDeviceBody(name: "Lamp", isSecurityDevice: false, isGuestAccessible: true), seen: 1)
        }
        try await checker.checkRead { try await owner.devices.waysIn("front-door") }
        await checker.checkRequest {
            _ = try await owner.devices.confirmSameDoor(sameDoor: true, of: ["lock.front_door"], on: "front-door")
        }
        await checker.checkRequest { _ = try await owner.devices.confirmSameDoor(sameDoor: false, on: "front-door") }
        try await checker.checkRead { try await owner.devices.replaceable(by: "front-door") }
        await checker.checkRequest { _ = try await owner.devices.merge("front-door", with: "back-door") }
        await checker.checkRequest { _ = try await owner.devices.replace("lock.none", by: "lock.front_door", of: "front-door") }
        let command = DeviceCommand("hall-light", "on", entityID: "light.hall", transitionTime: 250)
        let answer = try await checker.checkRead { try await owner.devices.submit(command) }
        try await checker.checkRead(as: CommandAnswer.self) { try await owner.devices.control(DeviceCommand("front-door", "unlock")) }
        try await checker.checkRead { try await owner.devices.command(answer.commandID) }
        let (from, to) = (house.clock.now.addingTimeInterval(-3600), house.clock.now)
        try await checker.checkRead { try await owner.readings.history(of: "hall-sensor", from: from, to: to) }
        try await checker.checkRead { try await owner.readings.energy(from: from, to: to) }
        try await checker.checkRead { try await owner.readings.environment(from: from, to: to) }
    }

    private func roomsAndScenes() async throws {
        var body = RoomBody(name: "Hall")
        body.floor = 1
        let room = try await checker.checkRead { try await owner.rooms.add(body) }
        try await checker.checkRead { try await owner.rooms.list() }
        try await checker.checkRead { try await owner.rooms.get(room.roomID) }
        try await checker.checkRead { try await owner.rooms.replace(room.roomID, RoomBody(room, named: "Entrance"), seen: room.version) }
        let actions = [DeviceActionBody(deviceID: "hall-light", entityID: nil, action: "on", value: nil, transitionTime: 100)]
        let scene = try await checker.checkRead {
            try await owner.scenes.create(SceneBody(name: "Evening", icon: "moon", actions: actions))
        }
        try await checker.checkRead { try await owner.scenes.list() }
        try await checker.checkRead {
            try await owner.scenes.replace(scene.sceneID, SceneBody(name: "Night", actions: actions), seen: scene.version)
        }
        try await checker.checkRead { try await owner.scenes.run(scene.sceneID) }
        await checker.checkRequest { try await owner.scenes.remove(scene.sceneID) }
    }

    private func automations() async throws {
        await house.mind.poll(isAsked: true)
        var mine = AutomationBody(
            name: "Out", triggers: [.presence(.lastLeaves)], conditions: [.home(anybody: false)],
            actions: [.control(DeviceAction(deviceID: "front-door", verb: .lock)), .notify(words: "Everybody has left.", to: .owner)])
        let made = try await checker.checkRead { try await owner.automations.add(mine) }
        try await checker.checkRead { try await owner.automations.list() }
        try await checker.checkRead { try await owner.automations.get(made.automationID) }
        house.clock.advance(by: 10)
        try await checker.checkRead { try await owner.people.setPresence(isHome: false) }
        await house.mind.poll(isAsked: true)
        await house.automations.runPending()
        let history = try await checker.checkRead { try await owner.automations.history(made.automationID, limit: 10) }
        #expect(history.runs.first?.outcomes.map(\.status) == ["confirmed", "told"])
        let trial = try await checker.checkRead { try await owner.automations.dryRun(made.automationID, days: 1) }
        #expect(trial.total == 1)
        mine.isOn = false
        try await checker.checkRead { try await owner.automations.replace(made.automationID, mine, seen: made.version) }
        await checker.checkRequest { try await owner.automations.remove(made.automationID) }
    }

    private func maintenance() async throws {
        var body = MaintenanceBody(title: "Change the filter", dueOn: CalendarDay("2026-12-31"), recurrence: .monthly)
        (body.category, body.deviceID, body.roomID, body.notes) = (
            .heating, "hall-light", try await owner.rooms.list().rooms.first?.roomID, "In the cellar"
        )
        let made = try await checker.checkRead { try await owner.maintenance.add(body) }
        try await checker.checkRead { try await owner.maintenance.list() }
        try await checker.checkRead { try await owner.maintenance.get(made.taskID) }
        let changed = try await checker.checkRead {
            try await owner.maintenance.change(made.taskID, ChangeMaintenanceBody(title: "Change both filters"), seen: made.version)
        }
        let done = CompleteMaintenanceBody(
            cost: Money(minor: 1299, currency: "EUR").map(MoneyBody.init), notes: "Filter G4", serviceProvider: "Air & Sons")
        try await checker.checkRead { try await owner.maintenance.complete(made.taskID, done, seen: changed.version) }
        try await checker.checkRead { try await owner.maintenance.history(made.taskID) }
        await checker.checkRequest { try await owner.maintenance.remove(made.taskID) }
    }

    private func privacy() async throws {
        try await checker.checkRead { try await owner.privacy.ownData() }
        try await checker.checkRead { try await owner.privacy.retention() }
        try await checker.checkRead { try await owner.privacy.backups() }
        try await checker.checkRead { try await owner.privacy.setRetention(["notices": 20]) }
        let me = try await owner.people.me().personID
        // This house stores no files: the request is checked, and the answer only against its documented type.
        await checker.checkRequest { _ = try await owner.privacy.export(me) }
        try checkDocumentedAnswer(JobAnswer.self, "POST", "/api/v1/people/{id}/export", status: 202)
        try await checker.checkRead(as: ErasedAnswer.self) { try await owner.privacy.reportReplica() }
        let guest = try await owner.guests.invite(invitation("Leaving")).guestID
        await checker.checkRequest { _ = try await owner.privacy.export(guest: guest) }
        try checkDocumentedAnswer(JobAnswer.self, "POST", "/api/v1/guests/{id}/export", status: 202)
        try await checker.checkRead { try await owner.privacy.erase(guest: guest) }
        let gone = try await owner.people.invite(name: "Gone", role: "member").person.personID
        let erased = try await checker.checkRead { try await owner.privacy.erase(gone) }
        try await house.hub.jobs.runAll()
        try await checker.checkRead { try await owner.privacy.jobs() }
        try await checker.checkRead { try await owner.privacy.job(erased.jobID) }
        await checker.checkRequest { _ = try await owner.privacy.stop(erased.jobID) }
        try checkDocumentedAnswer(JobAnswer.self, "DELETE", "/api/v1/jobs/{id}")
    }

    private func mind() async throws {
        try await checker.checkRead(as: CommandAnswer.self) { try await owner.devices.control(DeviceCommand("hall-light", "on")) }
        await house.mind.poll(isAsked: true)
        try await checker.checkRead { try await owner.mind.ask("is anything on?", in: "visit") }
        try await checker.checkRead { try await owner.mind.status() }
        try await checker.checkRead { try await owner.mind.emotions() }
        try await checker.checkRead { try await owner.mind.loops() }
        try await checker.checkRead { try await owner.mind.trigger("house") }
        let told = try await checker.checkRead { try await owner.mind.memories.remember(RememberBody(content: "The boiler was serviced")) }
        try await checker.checkRead { try await owner.mind.memories.list(.init(words: "boiler")) }
        try await checker.checkRead { try await owner.mind.memories.get(told.memoryID) }
        var change = ChangeMemoryBody()
        change.isPinned = true
        try await checker.checkRead { try await owner.mind.memories.change(told.memoryID, change, seen: told.memory.version) }
        await checker.checkRequest { try await owner.mind.memories.remove(told.memoryID) }
        try await interview()
    }

    private func interview() async throws {
        let id = try await checker.checkRead { try await owner.interviews.start() }.interviewID
        let told = try await checker.checkRead {
            try await owner.interviews.sendMessage("A Hue lamp in the hall and a fan in the attic.", to: id)
        }
        try await checker.checkRead {
            try await owner.interviews.sendMessage("There is an old gate that is not connected.", to: id, seen: told.version)
        }
        let wished = told.discoveredCandidates.map(\.id)
        try await checker.checkRead { try await owner.interviews.confirm(Array(wished.prefix(1)), reject: Array(wished.suffix(1)), in: id) }
        try await checker.checkRead { try await owner.interviews.list() }
        try await checker.checkRead { try await owner.interviews.status(id) }
        try await checker.checkRead { try await owner.interviews.conversation(id) }
        try await checker.checkRead { try await owner.interviews.pause(id) }
        try await checker.checkRead { try await owner.interviews.resume(id) }
        await checker.checkRequest { try await owner.interviews.cancel(id) }
        try await checker.checkRead { try await owner.twins.list(of: "hall-light", fidelityLevel: "advanced") }
        let plan = TwinBody(deviceID: "porch-light", fidelityLevel: "advanced", config: TwinPlanBody(name: "Porch", kind: "light"))
        let twin = try await checker.checkRead { try await owner.twins.create(plan) }
        try await checker.checkRead { try await owner.twins.get(twin.twinID) }
        await checker.checkRequest { try await owner.twins.remove(twin.twinID) }
        let asked = WhatIfBody(
            scenario: "Dark", changes: ["device": ["hall-light": ["power": "off"]]], duration: "8h", metrics: ["energy"],
            from: house.clock.now)
        try await checker.checkRead { try await owner.twins.whatIf(asked) }
    }

    private func buttonsAndTags() async throws {
        let body = ButtonBody(title: "Light", action: DeviceActionBody(deviceID: "hall-light", action: "on"), countdown: 3)
        let button = try await checker.checkRead { try await owner.buttons.create(body) }
        try await checker.checkRead { try await owner.buttons.list() }
        try await checker.checkRead { try await owner.buttons.get(button.buttonID) }
        let changed = try await checker.checkRead { try await owner.buttons.replace(button.buttonID, body, seen: button.version) }
        try await checker.checkRead { try await owner.buttons.press(button.buttonID) }
        let tag = try await checker.checkRead {
            try await owner.tags.add(AddTagBody(kind: .static, buttonID: button.buttonID, label: "Mirror"))
        }
        let id = try #require(tag.tagID)
        let sun = AddTagBody(
            kind: .sun, buttonID: button.buttonID, uid: "04DE5F1EACC040", names: TagLinkNames(piccData: "e", enc: "d", cmac: "c"))
        let proving = try await checker.checkRead { try await owner.tags.add(sun) }
        try await rekeying(try #require(proving.tagID))
        try await checker.checkRead { try await owner.tags.list() }
        try await checker.checkRead { try await owner.tags.get(id) }
        try await checker.checkRead { try await owner.tags.label(id, "Wall") }
        try await checker.checkRead { try await owner.tags.renew(id, label: "Shelf", seen: changed.version) }
        try await checker.checkRead { try await owner.tags.preview(tag.url) }
        try await checker.checkRead { try await owner.tags.tap(tag.url) }
        try await checker.checkRead { try await owner.tags.tap(tag.url, isConfirmed: true) }
        let pending = AddTagBody(kind: .static, buttonID: button.buttonID, pending: true, replaces: id)
        let written = try await checker.checkRead { try await owner.tags.add(pending) }
        let writtenID = try #require(written.tagID)
        try await checker.checkRead { try await owner.tags.promote(writtenID, readBack: written.url) }
        let live = try await checker.checkRead { try await owner.tags.add(AddTagBody(kind: .live, buttonID: button.buttonID)) }
        try await checker.checkRead { try await owner.tags.tap(live.url) }
        let grant = GrantBody(deviceID: "hall-light", actions: ["off"])
        try await checker.checkRead { try await owner.tags.add(AddTagBody(kind: .static, grant: grant)) }
        try await checker.checkRead { try await owner.tags.policy() }
        try await checker.checkRead { try await owner.tags.change(TagPolicy(control: .atOnce)) }
        await checker.checkRequest { try await owner.tags.remove(writtenID) }
        await checker.checkRequest { try await owner.buttons.invalidateSignedLinks(button.buttonID) }
        var says = PublishBody(topic: "home/garage", message: "%T", risk: .control)
        (says.signed, says.timestampKey) = (true, "00112233445566778899aabbccddeeff")
        let publishing = try await checker.checkRead { try await owner.buttons.create(ButtonBody(title: "Garage", publish: says)) }
        try await checker.checkRead { try await owner.buttons.newSigningKey(publishing.buttonID) }
        await checker.checkRequest { try await owner.buttons.remove(button.buttonID) }
    }

    /// A chip gets other keys, and reports it itself.
    private func rekeying(_ id: String) async throws {
        let keys = try await checker.checkRead { try await owner.tags.rekey(id) }
        var chip = SoftwareTag(
            uid: try #require(Hexadecimal.decode(keys.uid)), meta: try TagKey(hex: Secret(keys.metaKey)),
            file: try TagKey(hex: Secret(keys.fileKey)), names: .init(picc: "e", enc: "d", cmac: "c"))
        let link = try chip.touch(keys.url)
        try await checker.checkRead { try await owner.tags.finishRekeying(id, readBack: link) }
    }

    private func events() async throws {
        let seen = RecordEventBody(source: "bell", type: "ring", description: "Somebody rang", confidence: 90, occurredAt: house.clock.now)
        let event = try await checker.checkRead { try await owner.events.record(seen) }
        try await checker.checkRead { try await owner.events.list(.init(type: "ring", words: "rang")) }
        try await checker.checkRead { try await owner.events.recent() }
        try await checker.checkRead { try await owner.events.get(event.id) }
        try await checker.checkRead { try await owner.events.incidents() }
        // This house stores no pictures; the answer is checked where one does.
        await checker.checkRequest { _ = try await owner.events.thumbnail(of: event.id) }
        await checker.checkRequest { _ = try await owner.events.picture(of: event.id) }
        await checker.checkRequest { try await owner.events.remove(event.id) }
    }

    private func cameras() async throws {
        let source = CameraSourceBody(kind: .rtsp, url: "rtsp://192.168.1.20/stream")
        let camera = try await checker.checkRead { try await owner.cameras.add(AddCameraBody(name: "Porch", source: source)) }
        try await checker.checkRead { try await owner.cameras.list() }
        try await checker.checkRead { try await owner.cameras.get(camera.cameraID) }
        let changed = try await checker.checkRead {
            try await owner.cameras.change(camera.cameraID, ChangeCameraBody(name: "Yard"), seen: camera.version)
        }
        await checker.checkRequest { _ = try await owner.cameras.snapshot(of: camera.cameraID) }
        let webhook = try await checker.checkRead {
            try await owner.webhooks.create(MakeWebhookBody(name: "Bell", make: .doorbird, cameraID: camera.cameraID))
        }
        try await checker.checkRead { try await owner.webhooks.list() }
        await checker.checkRequest { try await owner.webhooks.revoke(webhook.webhookID) }
        await checker.checkRequest { try await owner.cameras.remove(camera.cameraID, seen: changed.version) }
    }

    private func invitation(_ name: String, asks: Bool = false, waits: Bool = false) -> InviteGuestBody {
        InviteGuestBody(
            name: name, grants: [GrantBody(deviceID: "front-door", actions: ["door.open"])],
            expiresAt: house.clock.now.addingTimeInterval(4 * 3600), maxUses: 3, requiresApproval: waits, asksEachTime: asks)
    }

    private func guests() async throws {
        let guest = try await checker.checkRead { try await owner.guests.invite(invitation("Plumber")) }
        try await checker.checkRead { try await owner.guests.list() }
        let code = Secret(try await checker.checkRead { try await owner.guests.newCode(guest.guestID) }.pairingCode)
        try await checker.checkRead { try await owner.guestAccess.reportScan(code: code) }
        guard
            case .granted(let taken) = try await checker.checkRead(
                as: GuestPassAnswer.self, { try await owner.guestAccess.pair(code: code) })
        else { throw CancellationError() }
        try await checker.checkRead { try await owner.guestAccess.pass(token: taken.token) }
        try await checker.checkRead { try await owner.guestAccess.validate(token: taken.token) }
        try await checker.checkRead { try await owner.guestAccess.states(token: taken.token) }
        try await checker.checkRead(as: GuestActionAnswer.self) {
            try await owner.guestAccess.perform(GuestAction("door.open", entityID: "lock.front_door"), token: taken.token)
        }
        try await checker.checkRead { try await owner.guests.get(guest.guestID) }
        try await checker.checkRead { try await owner.guests.decide(.suspend, about: guest.guestID) }
        try await checker.checkRead { try await owner.guests.decide(.resume, about: guest.guestID) }
        try await checker.checkRead { try await owner.guests.decide(.revoke, about: guest.guestID) }
        try await checker.checkRead { try await owner.guests.revokeAll() }
    }

    private func notices() async throws {
        let ring = RecordEventBody(source: "bell", type: "ring", occurredAt: house.clock.now)
        _ = try await owner.events.record(ring)
        try await house.hub.notificationDispatcher.planNotifications()
        let page = try await checker.checkRead { try await owner.notices.list() }
        try await checker.checkRead { try await owner.notices.acknowledge(page.notices.first?.noticeID ?? "") }
        try await checker.checkRead { try await owner.notices.acknowledgeAll() }
        var body = NotificationsBody()
        body.quietHours = try TimeOfDay("22:00").map {
            QuietHoursBody(from: $0, to: try #require(TimeOfDay("07:00")), timeZone: "Europe/Berlin")
        }
        try await checker.checkRead { try await owner.notices.change(body) }
        try await checker.checkRead { try await owner.notices.preferences() }
        let keys = PushKeysBody(
            p256dh: Base64URL.encode(P256.KeyAgreement.PrivateKey().publicKey.x963Representation), auth: Base64URL.encode(Data(count: 16)))
        let browser = RegisterBrowserBody(subscription: .init(endpoint: "https://fcm.googleapis.com/fcm/send/x", keys: keys))
        let place = try await checker.checkRead { try await owner.notices.register(browser) }
        try await checker.checkRead { try await owner.notices.push() }
        await checker.checkRequest { try await owner.notices.remove(place.id) }
    }

    private func phones() async throws {
        _ = try await owner.sessions.stepUp(password: TestHouse.password)
        let kept = MemorySessionStore()
        let app = try client(kept)
        let phone = try PhoneDescription(deviceID: UUID().uuidString, name: "Ada's phone", model: "iPhone 17", platform: .ios)
        let asked = try await checker.checkRead(as: PairPhoneAnswer.self) { try await app.phonePairing.requestPairing(phone) }
        try await checker.checkRead(as: WaitingPhonesAnswer.self) { try await owner.phones.pending() }
        try await checker.checkRead { try await owner.phones.confirm(PairingDigits.formatted(asked.digits)) }
        try await checker.checkRead { try await app.phonePairing.status(asked) }
        #expect(try await app.phonePairing.waitForConfirmation(asked))
        let id = try await checker.checkRead(as: PhoneTokensAnswer.self) { try await app.phonePairing.finish(asked) }
        let old = try #require(await kept.load())
        try await kept.save(Session(accessToken: old.accessToken, refreshToken: old.refreshToken, expiresAt: .distantPast))
        #expect(try await app.people.me().username == "owner")
        let renewed = try #require(recorder.exchanges.last { $0.request.url.path.hasSuffix("/mobile/auth/refresh") })
        #expect(try WireFormat.read(PhoneTokensAnswer.self, from: renewed.response.body).deviceID == id)
        let apple = RegisterPhonePushBody(deviceToken: String(repeating: "0f", count: 32), deviceID: phone.deviceID)
        try await checker.checkRead { try await app.notices.register(apple) }
        await checker.checkRequest { try await app.notices.unregister() }
        try await checker.checkRead { try await owner.phones.invitation() }
        try await checker.checkRead(as: PhonesAnswer.self) { try await owner.phones.list() }
        try await checker.checkRead { try await owner.phones.rename(id, to: "Tablet") }
        await checker.checkRequest { try await owner.phones.remove(id) }
        try await checker.checkRead(as: RevokedPhonesAnswer.self) { try await owner.phones.removeAll() }
        _ = try await app.phonePairing.requestPairing(phone)
        let waiting = try await owner.phones.pending()
        await checker.checkRequest { try await owner.phones.reject(waiting.first?.pairingID ?? "") }
    }

    /// Actions that a resident approves or rejects.
    private func boundGuest() async throws {
        let guest = try await owner.guests.invite(invitation("Cleaner"))
        let (code, key) = (Secret(guest.link?.split(separator: "#").last.map(String.init) ?? ""), GuestKey())
        guard
            case .granted(let taken) = try await checker.checkRead(
                as: GuestPassAnswer.self, { try await owner.guestAccess.pair(code: code, key: key) })
        else { throw CancellationError() }
        _ = try await owner.guestAccess.perform(GuestAction("door.open", entityID: "lock.front_door"), token: taken.token, key: key)
    }

    private func waitingGuests() async throws {
        for isWelcome in [true, false] {
            let guest = try await owner.guests.invite(invitation("Gardener", waits: true))
            let code = Secret(guest.link?.split(separator: "#").last.map(String.init) ?? "")
            try await checker.checkRead(as: PendingApproval.self) { try await owner.guestAccess.pair(code: code) }
            try await checker.checkRead { try await owner.guests.decide(isWelcome ? .approve : .reject, about: guest.guestID) }
        }
        let guest = try await owner.guests.invite(invitation("Courier", asks: true))
        let code = Secret(guest.link?.split(separator: "#").last.map(String.init) ?? "")
        guard case .granted(let taken) = try await owner.guestAccess.pair(code: code) else { throw CancellationError() }
        try await checker.checkRead(as: PendingApproval.self) {
            try await owner.guestAccess.perform(GuestAction("door.open"), token: taken.token)
        }
        let asked = try #require(try await checker.checkRead { try await owner.access.pendingApprovals() }.asks.first?.commandID)
        await checker.checkRequest { try await owner.access.answerApproval(command: asked, yes: true) }
        guard case .waiting(let second) = try await owner.guestAccess.perform(GuestAction("door.open"), token: taken.token),
            let number = second.commandID
        else { throw CancellationError() }
        try await checker.checkRead { try await owner.guestAccess.withdraw(number, token: taken.token) }
        try await checker.checkRead {
            try await owner.access.explain(ExplainBody(guestID: guest.guestID, deviceID: "front-door", action: "door.open"))
        }
    }

    private func people() async throws {
        let person = try await checker.checkRead { try await owner.people.invite(name: "Ada", role: "member") }
        let personID = person.person.personID
        let invited = try await checker.checkRead { try await owner.people.newInvitation(personID) }
        let invitation = Secret(invited.inviteLink.split(separator: "#").last.map(String.init) ?? "")
        let ada = try client()
        try await checker.checkRead(as: TokensAnswer.self) {
            try await ada.sessions.accept(invitation: invitation, username: "ada", password: TestHouse.password)
        }
        try await checker.checkRead { try await ada.people.me() }
        let persons = ScriptedPresenceBackend([PresenceSource(key: "e1", entityID: "person.ada", name: "Ada", presence: nil)])
        house.hub.integrations.add(persons)
        try await checker.checkRead { try await ada.people.linkPresence(to: "person.ada") }
        try await checker.checkRead { try await ada.people.presenceSource() }
        await checker.checkRequest { try await ada.people.unlinkPresence() }
        try await checker.checkRead { try await owner.people.list() }
        try await checker.checkRead { try await owner.people.change(personID, ChangePersonBody(name: "Ada L", canInviteGuests: true)) }
        await checker.checkRequest { try await ada.people.changePassword(from: TestHouse.password, to: Secret("another good password")) }
        await checker.checkRequest { try await owner.people.remove(personID) }
    }

    private func integrations() async throws {
        try await checker.checkRead { try await owner.integrations.list() }
        house.hub.integrations.setNetworkBrowser(with: ScriptedNetworkBrowser.everything)
        try await checker.checkRead { try await owner.integrations.nearby() }
        // This house has no MQTT integration: the request is checked, and the answer only against its documented type.
        await checker.checkRequest { _ = try await owner.integrations.setMQTT(MQTTSettingsBody(host: "broker.test", port: 8883)) }
        try checkDocumentedAnswer(IntegrationAnswer.self, "PUT", "/api/v1/integrations/mqtt")
        await checker.checkRequest { try await owner.integrations.removeMQTT() }
        await checker.checkRequest { _ = try await owner.integrations.mqtt() }
        try checkDocumentedAnswer(MQTTIntegrationAnswer.self, "GET", "/api/v1/integrations/mqtt")
        await checker.checkRequest { _ = try await owner.integrations.announcement(at: "homeassistant/lock/x/config") }
        try checkDocumentedAnswer(AnnouncementAnswer.self, "GET", "/api/v1/integrations/mqtt/announcement")
        await checker.checkRequest { _ = try await owner.integrations.check(announcement: "{}", at: "homeassistant/lock/x/config") }
        try checkDocumentedAnswer(AnnouncementCheckAnswer.self, "POST", "/api/v1/integrations/mqtt/check-announcement")
        await checker.checkRequest { _ = try await owner.integrations.setEndpoint(EndpointSettingsBody(host: "broker.test")) }
        try checkDocumentedAnswer(IntegrationAnswer.self, "PUT", "/api/v1/integrations/endpoint")
        await checker.checkRequest { try await owner.integrations.removeEndpoint() }
        await checker.checkRequest {
            _ = try await owner.integrations.setHomeAssistant(HomeAssistantSettingsBody(url: "http://ha.test:8123"))
        }
        try checkDocumentedAnswer(IntegrationAnswer.self, "PUT", "/api/v1/integrations/home-assistant")
    }

    private func activity() async throws {
        try await checker.checkRead { try await owner.access.activity(.init(limit: 50)) }
        let trail = try await checker.checkRead { try await owner.audit.entries(.init(result: "done"), limit: 50) }
        _ = try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        try await checker.checkRead { try await owner.audit.checkpoint() }
        try await checker.checkRead { try await owner.audit.checkpoint(from: 1) }
        try await checker.checkRead { try await owner.audit.proof(of: try #require(trail.entries.last).id) }
        try await changes()
    }

    /// A device and a command are read from the journal into the same types; everything else is passed on unchanged.
    private func changes() async throws {
        _ = try await owner.changes.now()
        let page = try await owner.changes.after(0)
        let sent = try JSONDecoder().decode(JSONValue.self, from: try #require(recorder.exchanges.last).response.body)
        #expect(Set(sent.members.keys) == ["changes", "next", "more"])
        for (event, said) in zip(page.events, sent["changes"]?.elements ?? []) {
            let read: JSONValue =
                switch event.content {
                case .device(let device, _): try JSONDecoder().decode(JSONValue.self, from: WireFormat.encode(device))
                case .command(let command): try JSONDecoder().decode(JSONValue.self, from: WireFormat.encode(command))
                case .other(let data): data
                }
            #expect(ContractChecker.differences(said["data"] ?? .null, read) == [], "\(event.name)")
            #expect(AsyncAPIValidator.problems(ofFrame: said) == [])
        }
        #expect(page.events.contains { if case .device = $0.content { true } else { false } })
        #expect(page.events.contains { if case .command = $0.content { true } else { false } })
    }

    private func signOut() async throws {
        try await owner.sessions.logout()
        #expect(try await !owner.sessions.isSignedIn())
    }

    private func checkDocumentedAnswer<Answer: Codable>(_: Answer.Type, _ method: String, _ path: String, status: Int = 200) throws {
        let operation = try #require(
            checker.contract.operations.first { $0.method.rawValue == method && $0.path == path })
        checker.checkDocumentedAnswer(Answer.self, operation, status: status)
    }
}
