import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaScreens
import CardeaSync
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Settings screen", .timeLimit(.minutes(10)))
struct SettingsScreenTests {
    @MainActor private func looking(_ phone: TestPhone) async -> SettingsScreen {
        let screen = SettingsScreen(client: phone.client, replica: phone.replica, environment: TestPhone.environment(phone.house.clock))
        await screen.refresh()
        return screen
    }

    @Test("The screen shows the user and the house, offline from the last sync")
    func who() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            #expect(screen.person?.username == "owner" && screen.hub.host == "localhost")
            guard case .ready(let known) = screen.house else {
                Issue.record("it shows \(screen.house)")
                return
            }
            #expect(known.name == "Lime House")
            phone.transport.setCondition(.unreachable)
            await screen.refresh()
            #expect(screen.person?.username == "owner" && screen.house.problem?.canRetry == true)
        }
    }

    @Test("Signing out ends the session in the hub")
    func signedOut() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            await screen.signOut()
            #expect(screen.signingOut == .done(nil) && screen.person == nil)
            #expect(try await !phone.client.sessions.isSignedIn())
            #expect(phone.transport.requests.last == "POST /api/v1/auth/logout")
            await screen.signOut()
            #expect(screen.signingOut == .done(nil))
        }
    }

    @Test("Signing out asks for confirmation if requests are queued")
    func warned() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            phone.transport.setCondition(.unreachable)
            for action in ["on", "off"] { _ = try await phone.replica.control(DeviceCommand("hall-light", action)) }
            await screen.signOut()
            guard case .confirmationRequired(let warning) = screen.signingOut else {
                Issue.record("\(screen.signingOut)")
                return
            }
            #expect(warning.hasPrefix("Not sent yet: Hall light."))
            screen.cancelSignOut()
            #expect(screen.signingOut == .idle)
            #expect(try await phone.client.sessions.isSignedIn())
            await screen.signOut()
            await screen.signOut(evenSo: true)
            guard case .done(let problem?) = screen.signingOut else {
                Issue.record("\(screen.signingOut)")
                return
            }
            #expect(problem.title == "The session could not be ended")
            #expect(try await !phone.client.sessions.isSignedIn())
            #expect(try await phone.replica.outboxEntries().count == 2, "it stays here")
        }
    }

    @Test("A session ended elsewhere is shown as signed out")
    func already() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            try await phone.client.sessions.logout()
            await screen.signOut()
            #expect(screen.signingOut == .done(nil))
        }
    }

    @Test("An audit alarm is shown in settings and sync status until it is accepted")
    func recordAlarm() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line, clock: ManualClock(house.clock.now))
            let environment = TestPhone.environment(phone.clock)
            try await house.hub.auditCheckpointer.sign(at: house.clock.now)
            let screen = SettingsScreen(client: phone.client, replica: phone.replica, environment: environment)
            let status = SyncStatusScreen(replica: phone.replica, environment: environment)
            await screen.refresh()
            try await house.appendAuditEntries(by: 3)
            phone.clock.advance(by: 3601)
            await screen.refresh()
            await status.sync()
            #expect(screen.auditAlarm == nil && status.auditAlarm == nil)
            let seen = try #require(status.lastReport?.auditWatch?.size)

            try await house.truncateAudit(after: seen - 2)
            try await house.restart(phone) { @MainActor again in
                try await again.hub.auditCheckpointer.sign(at: again.clock.now)
                phone.clock.advance(by: 3601)
                await screen.refresh()
                let alarm = try #require(screen.auditAlarm)
                #expect(
                    alarm.title == "The audit log does not match the last check" && alarm.text.contains("Last check here: \(seen) entries"))
                phone.transport.setCondition(.unreachable)
                await screen.refresh()
                await status.sync()
                #expect(screen.auditAlarm == alarm && status.auditAlarm == alarm, "it stays in a tunnel, and on every screen")
                await screen.acceptAudit()
                #expect(screen.auditAlarm == alarm && screen.problem?.canRetry == true, "what is not shown is not accepted")
                phone.transport.setCondition(.respondsNotFound("/audit/checkpoint"))
                await screen.acceptAudit()
                #expect(screen.auditAlarm == alarm && screen.problem?.title == "You may not see the audit log")
                phone.transport.setCondition(.clear)
                await screen.acceptAudit()
                await status.sync()
                #expect(screen.auditAlarm == nil && status.auditAlarm == nil && screen.house.problem == nil && screen.problem == nil)
                #expect(status.lastReport?.auditWatch != nil, "it is watched on from here")
            }
        }
    }

    @Test("An altered entry reported by the hub is shown with number and fault until the log is intact")
    func altered() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line, clock: ManualClock(house.clock.now))
            let environment = TestPhone.environment(phone.clock)
            try await house.appendAuditEntries(by: 30)
            let screen = SettingsScreen(client: phone.client, replica: phone.replica, environment: environment)
            let status = SyncStatusScreen(replica: phone.replica, environment: environment)
            await screen.refresh()
            #expect(screen.auditAlarm == nil)
            // Its services do not run: it polls on request only.
            try await house.restart(phone) { @MainActor again in
                try await again.tamper("UPDATE audit SET result = result + 1 WHERE seq = 17")
                try await again.hub.auditMonitor.verify()
                phone.clock.advance(by: 3601)
                await screen.refresh()
                await status.sync()
                let alarm = try #require(screen.auditAlarm)
                #expect(alarm.title == "The audit log was altered" && status.auditAlarm == alarm)
                await screen.acceptAudit()
                #expect(screen.auditAlarm == alarm, "it is altered all the same")
                #expect(
                    alarm.text.hasPrefix(
                        "Altered at entry 17. The house verified its log: Entry 17 of the audit log is indexed under the wrong"))

                try await again.tamper("UPDATE audit SET result = result - 1 WHERE seq = 17")
                try await again.hub.auditMonitor.verify()
                phone.clock.advance(by: 3601)
                await screen.refresh()
                await status.sync()
                #expect(screen.auditAlarm == nil && status.auditAlarm == nil)
            }
        }
    }

    @Test("An unreadable stored audit state is shown in settings and affects no other screen")
    func unreadable() async throws {
        try await withFile { file in
            try await withHouse { @MainActor house, line in
                let phone = try await TestPhone.signedIn(to: house, over: line, file: file)
                try await house.hub.auditCheckpointer.sign(at: house.clock.now)
                let screen = await looking(phone)
                #expect(screen.auditAlarm == nil)
                let other = try DatabaseQueue(path: file.path)
                try await other.write { try $0.execute(sql: "UPDATE trail SET sealed = x'010203'") }
                await screen.refresh()
                let devices = DevicesScreen(replica: phone.replica, environment: TestPhone.environment(phone.clock))
                await devices.refresh()
                guard case .ready = screen.house, case .ready = devices.state else {
                    Issue.record("they show \(screen.house) and \(devices.state)")
                    return
                }
                #expect(screen.auditAlarm?.title == "The stored checkpoint of the audit log could not be read")
                await screen.acceptAudit()
                #expect(screen.auditAlarm == nil && screen.problem == nil)
            }
        }
    }
}
