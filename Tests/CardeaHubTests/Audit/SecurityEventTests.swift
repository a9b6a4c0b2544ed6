import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Crypto
import Foundation
import Testing

@testable import CardeaHub

/// Seed 001 requires audit entries for sign-in and sign-out, device control, changed settings and permissions; its gaps add failures,
/// pairing, tokens, revocation, keys, refusals, and reads of the log. Each is provoked here, and is then in the log, sealed and chained.
@Suite("Security events in the audit log", .timeLimit(.minutes(10)))
struct SecurityEventTests {
    /// An integration that can be set up, and never is.
    private struct Broker: IntegrationFactory {
        struct Never: Error {}
        var integration = "mqtt"

        func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration { throw Never() }
        func server(_ settings: Data) -> String? { String(decoding: settings, as: UTF8.self) }
        func redacted(_ settings: Data) -> [String: JSONValue] { [:] }
    }

    /// A house with people, and their actions there.
    private struct Scene: Sendable {
        let house: TestHouse
        let owner: Principal
        let tokens: SessionTokens
        let member: Principal
        let memberTokens: SessionTokens
        let party = RelyingParty(id: "house.example", origins: ["https://house.example"])

        var hub: Hub { house.hub }
        var ownerID: String { owner.personID ?? "" }
        var memberID: String { member.personID ?? "" }

        func login(_ password: String? = nil) async throws -> SessionTokens {
            try await hub.sessions.login(
                username: "owner", password: password.map { Secret($0) } ?? TestHouse.password, origin: .house)
        }

        func addPasskey() async throws -> SoftwareAuthenticator {
            let creation = try await hub.passkeys.creationOptions(at: party, by: owner, origin: .house)
            let soft = SoftwareAuthenticator(userHandle: creation.handle)
            let made = try soft.registrationResponse(creation.challenge, rpID: party.id, origin: "https://house.example", count: 5)
            _ = try await hub.passkeys.register(
                .init(clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: []), name: "Key",
                at: party,
                by: owner, origin: .house)
            return soft
        }

        func show(_ soft: SoftwareAuthenticator, count: UInt32) async throws {
            let challenge = try await hub.passkeys.requestChallenge(at: party)
            let said = try soft.assertionResponse(challenge, rpID: party.id, origin: "https://house.example", count: count)
            _ = try await hub.passkeys.login(
                .init(
                    credentialID: soft.credentialID, clientDataJSON: said.clientDataJSON, authenticatorData: said.authenticatorData,
                    signature: said.signature, userHandle: soft.userHandle), at: party, origin: .house)
        }

        func pass(_ draft: CardeaHub.Guests.Draft? = nil) async throws -> CardeaHub.Guests.Codes {
            try await hub.guests.invite(draft ?? house.draft(), by: owner, call: nil, origin: .house).codes
        }

        func decide(_ decisions: Guests.Decision...) async throws {
            let id = try await pass().guestID
            for decision in decisions { _ = try await hub.guests.decide(decision, id, by: owner, origin: .house) }
        }

        /// A phone requests a pass that needs approval.
        func waiting() async throws -> String {
            let codes = try await pass(house.draft(requiresApproval: true))
            await refused { _ = try await hub.guestAccess.pair(codes.linkCode.reveal(), origin: .house) }
            return codes.guestID
        }

        /// A guest with a pass.
        func guest() async throws -> Principal { try await house.guest(house.draft(), by: owner).who }

        func button() async throws -> Button { try await house.button(by: owner) }

        /// A resident who is erased by the owner.
        func erased(_ name: String) async throws -> Job {
            let (who, _) = try await house.resident(name, role: "member", by: owner)
            return try await hub.jobs.erase(try #require(who.personID), by: owner, origin: .house)
        }

        /// Waits until an erasure is done.
        func ended(_ job: Job) async throws {
            try await waitUntil { try await hub.jobs.one(job.id, seenBy: owner).state == .done }
        }

        /// Runs an action that the house refuses.
        func refused(_ body: () async throws -> Void) async {
            await #expect(throws: (any Error).self) { try await body() }
        }
    }

    private struct Event: Sendable {
        /// The actor, the action, its result and its reason.
        let words: String
        /// The source that records it.
        let place: String
        let provoke: @Sendable (Scene) async throws -> Void

        init(_ words: String, _ place: String, _ provoke: @escaping @Sendable (Scene) async throws -> Void) {
            (self.words, self.place, self.provoke) = (words, place, provoke)
        }
    }

    private static let comingIn = [
        Event("system key.make done", "Sessions/AccessTokens") { _ in },
        Event("system key.make done audit_signer", "Audit/AuditSigner") { _ in },
        Event("person house.claim done", "People/People") { _ in },
        Event("person people.join done", "People/People") { _ in },
        Event("stranger house.claim refused invalid_token", "People/People") { scene in
            let house = try await TestHouse.make(store: .inMemory())
            await scene.refused { _ = try await house.hub.people.claim(.wrong, origin: .house) }
            #expect(try await house.auditNotes().map(\.reason) == [nil, .auditSigner, .invalidToken])
        },
        Event("stranger people.join refused invalid_token", "People/People") { scene in
            await scene.refused {
                _ = try await scene.hub.people.accept(Secret("no"), username: "new", password: TestHouse.password, origin: .house)
            }
        },
        Event("person login done", "Sessions/Sessions") { _ = try await $0.login() },
        Event("person login refused invalid_credentials", "Sessions/Sessions") { scene in
            await scene.refused { _ = try await scene.login("wrong horse battery") }
        },
        Event("person logout done", "Sessions/Sessions") { scene in
            try await scene.hub.sessions.logout(refresh: scene.login().refresh, origin: .house)
        },
        Event("person session.refresh refused session_over", "Sessions/Sessions") { scene in
            let tokens = try await scene.login()
            try await scene.hub.sessions.logout(refresh: tokens.refresh, origin: .house)
            await scene.refused { _ = try await scene.hub.sessions.refresh(tokens.refresh, origin: .house) }
        },
        Event("person session.refresh refused token_reused", "Sessions/Sessions") { scene in
            let tokens = try await scene.login()
            _ = try await scene.hub.sessions.refresh(tokens.refresh, origin: .house)
            scene.house.clock.advance(by: 31)
            await scene.refused { _ = try await scene.hub.sessions.refresh(tokens.refresh, origin: .house) }
        },
        Event("person session.end done", "Sessions/OpenSession") { scene in
            _ = try await scene.login()
            let session = try #require(try await scene.hub.sessions.open(seenBy: scene.owner).first { !$0.isCurrent })
            try await scene.hub.sessions.end(session.id, by: scene.owner, origin: .house)
        },
        Event("person session.revoke_all done", "Sessions/OpenSession") { scene in
            _ = try await scene.hub.sessions.endAll(keepCurrent: true, by: scene.owner, origin: .house)
        },
        Event("person session.step_up done password", "Sessions/Sessions+StepUp") { scene in
            _ = try await scene.hub.sessions.stepUp(password: TestHouse.password, by: scene.owner, origin: .house)
        },
        Event("person session.step_up refused invalid_credentials", "Sessions/Sessions+StepUp") { scene in
            await scene.refused {
                _ = try await scene.hub.sessions.stepUp(password: Secret("wrong horse battery"), by: scene.owner, origin: .house)
            }
        },
        Event("person people.password done", "People/People") { scene in
            try await scene.hub.people.changePassword(from: TestHouse.password, to: TestHouse.password, by: scene.owner, origin: .house)
        },
        Event("person people.password refused invalid_credentials", "People/People") { scene in
            await scene.refused {
                try await scene.hub.people.changePassword(
                    from: Secret("wrong horse battery"), to: TestHouse.password, by: scene.owner, origin: .house)
            }
        },
        Event("person passkey.add done", "Sessions/Passkeys") { _ = try await $0.addPasskey() },
        Event("person passkey.add refused unknown_challenge", "Sessions/Passkeys") { scene in
            let made = try SoftwareAuthenticator().registrationResponse(
                SecretGenerator.randomBytes(32), rpID: scene.party.id, origin: "https://house.example")
            await scene.refused {
                _ = try await scene.hub.passkeys.register(
                    .init(clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: []), name: nil,
                    at: scene.party, by: scene.owner, origin: .house)
            }
        },
        Event("person login done passkey", "Sessions/Passkeys") { try await $0.show($0.addPasskey(), count: 6) },
        Event("stranger login refused unknown_passkey", "Access/FailedAttemptLog") { scene in
            await scene.refused { try await scene.show(SoftwareAuthenticator(), count: 1) }
        },
        Event("person session.step_up refused unknown_passkey", "Access/FailedAttemptLog") { scene in
            let soft = SoftwareAuthenticator()
            let challenge = try await scene.hub.passkeys.requestChallenge(at: scene.party)
            let said = try soft.assertionResponse(challenge, rpID: scene.party.id, origin: "https://house.example")
            await scene.refused {
                _ = try await scene.hub.passkeys.stepUp(
                    .init(
                        credentialID: soft.credentialID, clientDataJSON: said.clientDataJSON, authenticatorData: said.authenticatorData,
                        signature: said.signature, userHandle: soft.userHandle), at: scene.party, by: scene.owner, origin: .house)
            }
        },
        Event("person passkey.end done cloned", "Sessions/Passkeys") { scene in
            let soft = try await scene.addPasskey()
            await scene.refused { try await scene.show(soft, count: 3) }
        },
        Event("person passkey.remove done", "Sessions/Passkeys") { scene in
            _ = try await scene.addPasskey()
            let passkey = try #require(try await scene.hub.passkeys.all(of: scene.owner).last)
            try await scene.hub.passkeys.remove(passkey.id, by: scene.owner, origin: .house)
        },
        Event("person recovery_codes.make done", "Sessions/RecoveryCodes") { scene in
            _ = try await scene.hub.recoveryCodes.make(by: scene.owner, origin: .house)
        },
        Event("person login done recovery_code", "Sessions/RecoveryCodes") { scene in
            let code = try #require(try await scene.hub.recoveryCodes.make(by: scene.owner, origin: .house).first)
            _ = try await scene.hub.recoveryCodes.login(code.reveal(), origin: .house)
        },
        Event("stranger login refused recovery_code", "Sessions/RecoveryCodes") { scene in
            await scene.refused { _ = try await scene.hub.recoveryCodes.login("nonsense", origin: .house) }
        },
        Event("person api_token.make done", "Sessions/APITokens") { scene in
            _ = try await scene.hub.apiTokens.make(
                .init(name: "Script", items: nil, role: nil, expiresAt: nil), by: scene.owner, origin: .house)
        },
        Event("person api_token.revoke done", "Sessions/APITokens") { scene in
            let (token, _) = try await scene.hub.apiTokens.make(
                .init(name: "Script", items: nil, role: nil, expiresAt: nil), by: scene.owner, origin: .house)
            try await scene.hub.apiTokens.revoke(token.id, by: scene.owner, origin: .house)
        },
        Event("person webhook.make done", "Events/IncomingWebhooks") { scene in
            _ = try await scene.hub.webhooks.create(.init(name: "Bell", make: "shelly"), by: scene.owner, origin: .house)
        },
        Event("person webhook.revoke done", "Events/IncomingWebhooks") { scene in
            let (webhook, _) = try await scene.hub.webhooks.create(.init(name: "Bell", make: "shelly"), by: scene.owner, origin: .house)
            try await scene.hub.webhooks.revoke(webhook.id, by: scene.owner, origin: .house)
        },
        Event("stranger access_token refused unauthorized", "Access/FailedAttemptLog") { scene in
            await scene.refused { _ = try await scene.hub.sessions.authenticate(Secret("forged")) }
        },
        Event("stranger session.refresh refused unauthorized", "Access/FailedAttemptLog") { scene in
            await scene.refused { _ = try await scene.hub.sessions.refresh(Secret("unknown"), origin: .house) }
        },
        Event("stranger api_token refused unauthorized", "Access/FailedAttemptLog") { scene in
            let (token, secret) = try await scene.hub.apiTokens.make(
                .init(name: "Script", items: nil, role: nil, expiresAt: nil), by: scene.owner, origin: .house)
            try await scene.hub.apiTokens.revoke(token.id, by: scene.owner, origin: .house)
            await scene.refused { _ = try await scene.hub.sessions.authenticate(secret) }
        },
    ]

    private static let doorsAndHouse = [
        Event("person people.invite done", "People/People") { scene in
            _ = try await scene.hub.people.invite(name: "New", role: "member", by: scene.owner, call: nil, origin: .house)
        },
        Event("person people.change done", "People/People") { scene in
            _ = try await scene.hub.people.change(
                scene.memberID, .init(name: nil, role: "admin", canInviteGuests: nil, disabled: nil), by: scene.owner, origin: .house)
            _ = try await scene.hub.people.change(
                scene.memberID, .init(name: nil, role: "member", canInviteGuests: nil, disabled: nil), by: scene.owner, origin: .house)
        },
        Event("person people.change refused role_lacks_right", "Audit/Store+AuditedWrite") { scene in
            await scene.refused {
                _ = try await scene.hub.people.change(
                    scene.ownerID, .init(name: nil, role: "member", canInviteGuests: nil, disabled: nil), by: scene.member, origin: .house)
            }
        },
        Event("person guest.invite done", "Guests/Guests") { _ = try await $0.pass() },
        Event("person guest.invite refused role_lacks_right", "Audit/Store+AuditedWrite") { scene in
            await scene.refused {
                _ = try await scene.hub.guests.invite(scene.house.draft(), by: scene.member, call: nil, origin: .house)
            }
        },
        Event("person guest.new_code done", "Guests/Guests") { scene in
            _ = try await scene.hub.guests.newCode(for: scene.pass().guestID, by: scene.owner, origin: .house)
        },
        Event("person guest.suspend done", "Guests/Guests") { try await $0.decide(.suspend) },
        Event("person guest.resume done", "Guests/Guests") { try await $0.decide(.suspend, .resume) },
        Event("person guest.revoke done", "Guests/Guests") { try await $0.decide(.revoke) },
        Event("person guest.erase done", "Privacy/Jobs") { scene in
            _ = try await scene.hub.jobs.erase(guest: scene.pass().guestID, by: scene.owner, origin: .house)
        },
        Event("guest pair done", "Guests/GuestAccess") { scene in
            _ = try await scene.hub.guestAccess.pair(scene.pass().linkCode.reveal(), origin: .house)
        },
        Event("guest pair asked", "Guests/GuestAccess") { _ = try await $0.waiting() },
        Event("guest pair refused other_phone_asked", "Guests/GuestAccess") { scene in
            let code = try await scene.pass(scene.house.draft(requiresApproval: true)).linkCode.reveal()
            for _ in 0..<2 { await scene.refused { _ = try await scene.hub.guestAccess.pair(code, origin: .house) } }
        },
        Event("person guest.approve done", "Guests/Guests") { scene in
            _ = try await scene.hub.guests.decide(.approve, scene.waiting(), by: scene.owner, origin: .house)
        },
        Event("person guest.reject done", "Guests/Guests") { scene in
            _ = try await scene.hub.guests.decide(.reject, scene.waiting(), by: scene.owner, origin: .house)
        },
        Event("stranger pair refused pairing_code_invalid", "Guests/GuestAccess") { scene in
            await scene.refused { _ = try await scene.hub.guestAccess.pair("ABCDEFGHJK", origin: .house) }
        },
        Event("guest pair refused pairing_code_invalid", "Guests/GuestAccess") { scene in
            let code = try await scene.pass().linkCode.reveal()
            _ = try await scene.hub.guestAccess.pair(code, origin: .house)
            await scene.refused { _ = try await scene.hub.guestAccess.pair(code, origin: .house) }
        },
        Event("guest pair refused pairing_code_expired", "Guests/GuestAccess") { scene in
            let code = try await scene.pass().spokenCode.reveal()
            scene.house.clock.advance(by: 301)
            await scene.refused { _ = try await scene.hub.guestAccess.pair(code, origin: .house) }
        },
        Event("guest pair refused revoked", "Guests/GuestAccess") { scene in
            let codes = try await scene.pass()
            _ = try await scene.hub.guests.decide(.revoke, codes.guestID, by: scene.owner, origin: .house)
            await scene.refused { _ = try await scene.hub.guestAccess.pair(codes.linkCode.reveal(), origin: .house) }
        },
        Event("stranger guest_token refused unauthorized", "Access/FailedAttemptLog") { scene in
            let origin = RequestOrigin(remote: "203.0.113.9", isLocal: false, requestID: nil)
            await scene.refused { _ = try await scene.hub.guestAccess.authenticate(SecretGenerator.token(.guestPass), origin: origin) }
        },
        Event("guest guest_token refused token_replaced", "Access/FailedAttemptLog") { scene in
            let codes = try await scene.pass()
            let (token, _) = try await scene.hub.guestAccess.pair(codes.linkCode.reveal(), origin: .house)
            let again = try await scene.hub.guests.newCode(for: codes.guestID, by: scene.owner, origin: .house)
            _ = try await scene.hub.guestAccess.pair(again.linkCode.reveal(), origin: .house)
            await scene.refused { _ = try await scene.hub.guestAccess.authenticate(token, origin: .house) }
        },
        Event("person unlock allowed", "Devices/Commands/CommandAdmission") { _ = try await $0.house.run($0.house.unlock(as: $0.owner)) },
        Event("person unlock confirmed", "Devices/Commands/CommandCompletion") {
            _ = try await $0.house.run($0.house.unlock(as: $0.owner))
        },
        Event("person unlock failed jammed", "Devices/Commands/CommandCompletion") { scene in
            scene.house.doorBackend.set(.jams, at: "lock.back_door")
            _ = try await scene.house.run(scene.house.unlock("back-door", as: scene.owner))
        },
        // A device's or another system's text may name people and things, and an entry outlives them.
        Event("person unlock failed turned_down", "Devices/Commands/CommandCompletion") { scene in
            let words = "Home Assistant: Olga has locked it from within"
            scene.house.doorBackend.set(.refuses(words), at: "lock.back_door")
            let asked = try await scene.house.run(scene.house.unlock("back-door", as: scene.owner))
            #expect(asked.status == .failed && asked.reason == words)
        },
        Event("person unlock unknown uncertain", "Devices/Commands/CommandCompletion") { scene in
            let words = "Home Assistant went away while it told Olga's lock"
            scene.house.doorBackend.set(.loses(words), at: "lock.back_door")
            let asked = try await scene.house.run(scene.house.unlock("back-door", as: scene.owner))
            #expect(asked.status == .unknown && asked.reason == words)
        },
        Event("person unlock refused device_not_found", "Devices/Commands/CommandAdmission") { scene in
            await scene.refused { _ = try await scene.house.run(scene.house.unlock("cellar", as: scene.owner)) }
        },
        Event("person unlock refused security_device", "Devices/Commands/CommandAdmission") { scene in
            _ = try await scene.hub.devices.edit("back-door", .init(isSecurityDevice: true), by: scene.owner, origin: .house)
            await scene.refused { _ = try await scene.house.run(scene.house.unlock("back-door", as: scene.member)) }
        },
        Event("guest door.open refused suspended", "Devices/Commands/CommandAdmission") { scene in
            let (guest, id, _) = try await scene.house.guest(scene.house.draft(), by: scene.owner)
            _ = try await scene.hub.guests.decide(.suspend, id, by: scene.owner, origin: .house)
            await scene.refused { _ = try await scene.house.run(scene.house.open(as: guest)) }
        },
        Event("guest door.open asked", "Devices/Commands/CommandAdmission") { scene in
            let (guest, _, _) = try await scene.house.guest(scene.house.draft(asksEachTime: true), by: scene.owner)
            _ = try await scene.hub.commands.submit(scene.house.open(as: guest))
        },
        Event("person command.approve done", "Devices/Commands/Commands") { scene in
            let (guest, _, _) = try await scene.house.guest(scene.house.draft(asksEachTime: true), by: scene.owner)
            guard case .command(let asked, _) = try await scene.hub.commands.submit(scene.house.open(as: guest)) else { return }
            _ = try await scene.hub.commands.decide(asked.id, approve: true, by: scene.owner, origin: .house)
        },
        Event("person device.change done", "Devices/Devices") { scene in
            _ = try await scene.hub.devices.edit("front-door", .init(isSecurityDevice: false), by: scene.owner, origin: .house)
        },
        Event("person device.rename done", "Devices/Devices") { scene in
            _ = try await scene.hub.devices.edit("hall-light", .init(name: "Hall lamp"), by: scene.owner, origin: .house)
        },
        Event("person device.remove done", "Devices/Devices") { scene in
            try await scene.hub.devices.withdraw(deviceID: "hall-sensor", integration: "scripted")
            try await scene.hub.devices.remove("hall-sensor", by: scene.owner, origin: .house)
        },
        Event("person house.change done", "House") { scene in
            _ = try await scene.hub.house.change({ $0 }, seen: .any, by: scene.owner, origin: .house, at: scene.house.clock.now)
        },
        Event("person room.add done", "Devices/Rooms") { scene in
            _ = try await scene.hub.rooms.add(.init(name: "Attic"), position: nil, by: scene.owner, call: nil, origin: .house)
        },
        Event("person scene.add done", "Devices/Scenes") { scene in
            _ = try await scene.hub.scenes.add(
                .init(name: "Home", icon: nil, actions: [.init(deviceID: "hall-light", action: "on")]), by: scene.owner, call: nil,
                origin: .house)
        },
        Event("person maintenance.add done", "Maintenance/MaintenanceTasks") { scene in
            _ = try await scene.hub.maintenance.add(.init(title: "Filter"), by: scene.owner, call: nil, origin: .house)
        },
        Event("person maintenance.add refused role_lacks_right", "Audit/Store+AuditedWrite") { scene in
            await scene.refused {
                _ = try await scene.hub.maintenance.add(.init(title: "Filter"), by: scene.member, call: nil, origin: .house)
            }
        },
        Event("person retention.change done", "Privacy/Retention") { scene in
            _ = try await scene.hub.retention.setDays(["energy": 10], by: scene.owner, origin: .house)
            let entry = try await scene.house.auditNotes().last { $0.action == "retention.change" }
            #expect(entry?.entityID == "retention:energy:10" && entry?.reason == nil)
        },
        Event("person retention.change refused role_lacks_right", "Audit/Store+AuditedWrite") { scene in
            await scene.refused { _ = try await scene.hub.retention.setDays(["energy": 9], by: scene.member, origin: .house) }
        },
        Event("person integration.mqtt done", "Devices/Integrations/Integrations") { scene in
            scene.hub.integrations.register(Broker())
            try await scene.hub.integrations.disconnect("mqtt", by: scene.owner, origin: .house)
        },
        Event("person integration.mqtt refused role_lacks_right", "Audit/Store+AuditedWrite") { scene in
            scene.hub.integrations.register(Broker())
            await scene.refused { try await scene.hub.integrations.disconnect("mqtt", by: scene.member, origin: .house) }
        },
        Event("person activity.read read", "Audit/ActivityLog") { _ = try await $0.hub.activity.entries(.init(), seenBy: $0.owner) },
        Event("person data_export done audit", "Audit/AuditExport") { scene in
            _ = try await scene.hub.auditProofs.export(by: scene.owner, origin: .house)
        },
        Event("person data_export refused role_lacks_right", "Audit/Store+AuditedWrite") { scene in
            await scene.refused { _ = try await scene.hub.auditProofs.export(by: scene.member, origin: .house) }
        },
        Event("person people.remove done", "People/People") { scene in
            try await scene.hub.people.remove(scene.memberID, by: scene.owner, origin: .house)
        },
    ]

    private static let ownThings: [Event] = [
        Event("person passkey.rename done", "Sessions/Passkeys") { scene in
            _ = try await scene.addPasskey()
            let passkey = try #require(try await scene.hub.passkeys.all(of: scene.owner).last)
            _ = try await scene.hub.passkeys.rename(passkey.id, to: "Desk", by: scene.owner, origin: .house)
        },
        Event("person phone.reject done", "Sessions/PhonePairings") { scene in
            _ = try await scene.hub.phonePairings.request(try scene.house.phone(), origin: .house)
            let waiting = try #require(try await scene.hub.phonePairings.pending(seenBy: scene.owner).first)
            try await scene.hub.phonePairings.reject(waiting.id, by: scene.owner, origin: .house)
        },
        Event("person phone.rename done", "Sessions/Phones") { scene in
            _ = try await scene.house.paired(try scene.house.phone(), by: scene.owner)
            let phone = try #require(try await scene.hub.phones.all(of: scene.owner).first)
            _ = try await scene.hub.phones.rename(phone.id, to: "Kitchen", by: scene.owner, origin: .house)
        },
        Event("person push.register done", "Notices/PushSubscriptions") { scene in
            let browser = PushSubscriptions.BrowserDraft(
                endpoint: "https://fcm.googleapis.com/fcm/send/x",
                key: Base64URL.encode(P256.KeyAgreement.PrivateKey().publicKey.x963Representation),
                authentication: Base64URL.encode(Data(count: 16)))
            _ = try await scene.hub.pushSubscriptions.register(browser, by: scene.owner, origin: .house)
        },
        Event("person push.remove done", "Notices/PushSubscriptions") { scene in
            let browser = try #require(try await scene.hub.pushSubscriptions.all(of: scene.owner).first)
            try await scene.hub.pushSubscriptions.remove(browser.id, by: scene.owner, origin: .house)
        },
        Event("person people.notifications refused role_lacks_right", "Audit/Store+AuditedWrite") { scene in
            await scene.refused {
                _ = try await scene.hub.notices.change(
                    NoticePreferences(), of: scene.ownerID, seen: .any, by: scene.member, origin: .house)
            }
        },
        Event("guest people.preferences refused no_grant", "Audit/Store+AuditedWrite") { scene in
            let guest = try await scene.guest()
            await scene.refused {
                _ = try await scene.hub.preferences.change(Preferences(), seen: .any, by: guest, origin: .house)
            }
        },
        Event("guest notice.acknowledge refused role_lacks_right", "Audit/Store+AuditedWrite") { scene in
            let guest = try await scene.guest()
            await scene.refused { _ = try await scene.hub.notices.acknowledgeAll(by: guest, origin: .house) }
        },
        Event("guest replica.keep refused role_lacks_right", "Audit/Store+AuditedWrite") { scene in
            let guest = try await scene.guest()
            await scene.refused { _ = try await scene.hub.replicas.confirm(without: [], by: guest, origin: .house) }
        },
        Event("guest mind.ask refused no_grant", "Audit/Store+AuditedWrite") { scene in
            let guest = try await scene.guest()
            await scene.refused { _ = try await scene.hub.mindFeed.requester(guest, origin: .house) }
        },
    ]

    private static let buttonsAndRooms: [Event] = [
        Event("person button.add done", "Tags/Buttons") { _ = try await $0.button() },
        Event("person button.change done", "Tags/Buttons") { scene in
            let id = try await scene.button().id
            let draft = Buttons.Draft(title: "Door", action: .init(deviceID: "front-door", action: "unlock"))
            _ = try await scene.hub.buttons.replace(id, with: draft, seen: .any, by: scene.owner, origin: .house)
        },
        Event("person button.remove done", "Tags/Buttons") { scene in
            let id = try await scene.button().id
            try await scene.hub.buttons.remove(id, seen: .any, by: scene.owner, origin: .house)
        },
        Event("guest button.press refused no_grant", "Audit/Store+AuditedWrite") { scene in
            let (id, guest) = (try await scene.button().id, try await scene.guest())
            await scene.refused { _ = try await scene.hub.buttons.press(id, by: guest, call: nil, origin: .house) }
        },
        Event("person button.signing_key done", "Tags/Buttons") { scene in
            _ = await ScriptedBroker(scene.house)
            let publication = ButtonPublication(topic: "home/garage", message: "open", stateTopic: "s", isSigned: true)
            let draft = Buttons.Draft(title: "Garage", behavior: .publish(publication, .unchanged))
            let id = try await scene.hub.buttons.add(draft, by: scene.owner, call: nil, origin: .house).0.id
            _ = try await scene.hub.buttons.newSigningKey(id, by: scene.owner, origin: .house)
        },
        Event("person tag.add done", "Tags/Tags") { scene in
            _ = try await scene.house.tag(for: scene.button(), by: scene.owner)
        },
        Event("person tag.change done", "Tags/Tags") { scene in
            let id = try await scene.house.tag(for: scene.button(), by: scene.owner).tag.id
            _ = try await scene.hub.tags.renew(id, label: "Hall", by: scene.owner, origin: .house)
        },
        Event("person tag.remove done", "Tags/Tags") { scene in
            let id = try await scene.house.tag(for: scene.button(), by: scene.owner).tag.id
            try await scene.hub.tags.remove(id, by: scene.owner, origin: .house)
        },
        Event("person tag.write done", "Tags/Tags") { scene in
            let tag = try await scene.house.tag(for: scene.button(), pending: .init(), by: scene.owner).tag
            _ = try await scene.hub.tags.promote(tag.id, readBack: tag.place, by: scene.owner, origin: .house)
        },
        Event("person tag.live done", "Tags/Tags") { scene in
            let id = try await scene.button().id
            _ = try await scene.hub.tags.issueSignedLink(.button(id), by: scene.owner, call: nil, origin: .house)
        },
        Event("person tag.regenerate done", "Tags/Buttons") { scene in
            let id = try await scene.button().id
            try await scene.hub.tags.invalidateSignedLinks(id, by: scene.owner, origin: .house)
        },
        Event("person tag.policy done", "Tags/Tags") { scene in
            _ = try await scene.hub.tags.updatePolicy(TagPolicy(), seen: .any, by: scene.owner, origin: .house)
        },
        Event("person room.rename done", "Devices/Rooms") { scene in
            let room = try await scene.hub.rooms.add(.init(name: "Attic"), position: nil, by: scene.owner, call: nil, origin: .house).0
            _ = try await scene.hub.rooms.replace(
                room.id, with: .init(name: "Loft"), position: nil, seen: .any, by: scene.owner, origin: .house)
        },
        Event("person room.change done", "Devices/Rooms") { scene in
            let room = try await scene.hub.rooms.add(.init(name: "Studio"), position: nil, by: scene.owner, call: nil, origin: .house).0
            var traits = room.traits
            traits.floor = 2
            _ = try await scene.hub.rooms.replace(room.id, with: traits, position: nil, seen: .any, by: scene.owner, origin: .house)
        },
        Event("person scene.change done", "Devices/Scenes") { scene in
            let draft = Scenes.Draft(name: "Home", icon: nil, actions: [.init(deviceID: "hall-light", action: "on")])
            let id = try await scene.hub.scenes.add(draft, by: scene.owner, call: nil, origin: .house).0.id
            _ = try await scene.hub.scenes.replace(id, with: draft, seen: .any, by: scene.owner, origin: .house)
        },
        Event("person scene.remove done", "Devices/Scenes") { scene in
            let made = try #require(try await scene.hub.scenes.all(seenBy: scene.owner).first)
            try await scene.hub.scenes.remove(made.id, seen: .any, by: scene.owner, origin: .house)
        },
        Event("guest scene.run refused no_grant", "Audit/Store+AuditedWrite") { scene in
            let draft = Scenes.Draft(name: "Evening", icon: nil, actions: [.init(deviceID: "hall-light", action: "on")])
            let id = try await scene.hub.scenes.add(draft, by: scene.owner, call: nil, origin: .house).0.id
            let guest = try await scene.guest()
            await scene.refused { _ = try await scene.hub.scenes.run(id, by: guest, call: nil, origin: .house) }
        },
        Event("person command.reject done", "Devices/Commands/Commands") { scene in
            let (guest, _, _) = try await scene.house.guest(scene.house.draft(asksEachTime: true), by: scene.owner)
            guard case .command(let asked, _) = try await scene.hub.commands.submit(scene.house.open(as: guest)) else { return }
            _ = try await scene.hub.commands.decide(asked.id, approve: false, by: scene.owner, origin: .house)
        },
        Event("person integration.endpoint done", "Devices/Integrations/Integrations") { scene in
            scene.hub.integrations.register(Broker(integration: "endpoint"))
            try await scene.hub.integrations.disconnect("endpoint", by: scene.owner, origin: .house)
        },
        Event("person integration.home-assistant done", "Devices/Integrations/Integrations") { scene in
            scene.hub.integrations.register(Broker(integration: "home-assistant"))
            try await scene.hub.integrations.disconnect("home-assistant", by: scene.owner, origin: .house)
        },
    ]

    private static let keepingAndForgetting: [Event] = [
        Event("system recovery_key.make done", "Backup/BackupRegistry") { scene in
            try await scene.hub.backups.save(recoveryKey: RecoveryKey().publicKey, replacing: false)
        },
        Event("system backup.make done", "Backup/BackupRegistry") { scene in
            try await scene.hub.backups.record(good: scene.house.clock.now, bytes: 4096)
        },
        Event("system backup.make refused failed", "Backup/BackupRegistry") { scene in
            try await scene.hub.backups.record(failure: "The disk is full.")
        },
        Event("person person.erase done", "Privacy/Jobs") { scene in
            try await scene.ended(try await scene.erased("grandmother"))
        },
        Event("system person.erased done", "Privacy/Erasure") { scene in
            try await scene.ended(try await scene.erased("grandfather"))
        },
        Event("person person.erase refused role_lacks_right", "Audit/Store+AuditedWrite") { scene in
            await scene.refused { _ = try await scene.hub.jobs.erase(scene.ownerID, by: scene.member, origin: .house) }
        },
        Event("system guest.erased done", "Privacy/Erasure") { scene in
            let job = try await scene.hub.jobs.erase(guest: scene.pass().guestID, by: scene.owner, origin: .house)
            try await scene.ended(job)
        },
    ]

    private static let all: [Event] = comingIn + doorsAndHouse + ownThings + buttonsAndRooms + keepingAndForgetting

    private static func words(_ note: UnsealedAuditEntry) -> String {
        [note.kind, note.action, note.result, note.reasonText].compactMap(\.self).joined(separator: " ")
    }

    private func provoke(_ events: [Event]) async throws {
        try await TestHouse.open { house in
            let (owner, tokens) = try await house.claim()
            let (member, memberTokens) = try await house.resident("member", role: "member", by: owner)
            let scene = Scene(house: house, owner: owner, tokens: tokens, member: member, memberTokens: memberTokens)
            for event in events {
                let before = try await house.auditNotes().count
                // Actions that need a step-up have a recent one.
                _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
                try await event.provoke(scene)
                let notes = try await house.auditNotes()
                // Each leaves its own entry; existing ones are searched from the beginning.
                let isNew = notes.dropFirst(before).map(Self.words).contains(event.words)
                let isOld = notes.prefix(8).map(Self.words).contains(event.words)
                let elsewhere = event.words == "stranger house.claim refused invalid_token"
                #expect(isNew || isOld || elsewhere, "\(event.words) is not on record; there is \(notes.dropFirst(before).map(Self.words))")
            }
            #expect(try await house.auditBreak() == nil)
            // Reasons are codes from a list, never sentences.
            #expect(try await house.auditNotes().allSatisfy { $0.unlistedReason == nil })
        }
    }

    @Test("Every sign-in, session and sign-out event is audited, including refusals")
    func signingIn() async throws { try await provoke(Self.comingIn) }

    @Test("Events of people, passes, doors, settings, integrations and the audit log are audited")
    func inTheHouse() async throws { try await provoke(Self.doorsAndHouse) }

    @Test("Events of a person's passkeys, phones, browsers and preferences are audited")
    func theirs() async throws { try await provoke(Self.ownThings) }

    @Test("Events of buttons, tags, rooms, scenes and connections are audited")
    func furnishing() async throws { try await provoke(Self.buttonsAndRooms) }

    @Test("Backup, recovery key and erasure events are audited")
    func keeping() async throws { try await provoke(Self.keepingAndForgetting) }

    @Test("The source file named for each event writes audit entries, and event descriptions are unique")
    func places() throws {
        let hub = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/CardeaHub")
        for event in Self.all {
            let source = try String(contentsOf: hub.appending(path: event.place + ".swift"), encoding: .utf8)
            #expect(source.contains("AuditLog.append"), "\(event.place) puts nothing on record: \(event.words)")
        }
        #expect(Set(Self.all.map(\.words)).count == Self.all.count)
    }

    @Test("A free-text reason from an older hub is readable and is not written again")
    func olderWords() throws {
        let words = "Home Assistant: Olga has locked it"
        func event(_ reason: String) -> Data {
            Data(#"{"action":"unlock","at":1795269600000,"device":"front-door","reason":"\#(reason)","result":"failed"}"#.utf8)
        }
        let note = try UnsealedAuditEntry(event: event(words), actor: nil, subject: nil)
        #expect(note.reasonText == words && note.reason == nil && note.unlistedReason == words)
        #expect(!String(decoding: note.eventBytes, as: UTF8.self).contains("Olga"))

        let listed = try UnsealedAuditEntry(event: event("jammed"), actor: nil, subject: nil)
        #expect(listed.reason == .jammed && String(decoding: listed.eventBytes, as: UTF8.self).contains(#""reason":"jammed""#))
    }

    @Test("Audit entries for repeated failed invitations from one address are throttled")
    func knocking() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let stranger = RequestOrigin(remote: "203.0.113.5", isLocal: false, requestID: nil)
        for _ in 0..<200 {
            await #expect(throws: People.PersonError.self) {
                try await house.hub.people.accept(Secret("no"), username: "new", password: TestHouse.password, origin: stranger)
            }
        }
        let refused = try await house.auditNotes().filter { $0.action == "people.join" }
        #expect((30..<40).contains(refused.count) && refused.allSatisfy { $0.remote == "203.0.113.5" })
    }
}

extension CardeaHub.People.Claim {
    fileprivate static var wrong: Self {
        .init(
            token: SecretGenerator.token(.claim), username: "owner", password: TestHouse.password, name: nil, houseName: "House",
            timeZone: nil)
    }
}
