import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaScreens
import CardeaSync
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("The settings on a phone", .timeLimit(.minutes(10)))
struct SettingsTests {
    @MainActor private func looking(_ phone: Phone) async -> SettingsScreen {
        let screen = SettingsScreen(client: phone.client, replica: phone.replica, surroundings: Phone.surroundings(phone.house.clock))
        await screen.refresh()
        return screen
    }

    @Test("They say who is signed in and at which house, in a tunnel as it last was")
    func who() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await Phone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            #expect(screen.person?.username == "owner" && screen.hub.host == "localhost")
            guard case .ready(let known) = screen.house else {
                Issue.record("it shows \(screen.house)")
                return
            }
            #expect(known.name == "Lime House")
            phone.tunnel.turn(.closed)
            await screen.refresh()
            #expect(screen.person?.username == "owner" && screen.house.problem?.canRetry == true)
        }
    }

    @Test("Whoever signs out is signed out, and the house knows")
    func signedOut() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await Phone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            await screen.signOut()
            #expect(screen.signingOut == .done(nil) && screen.person == nil)
            #expect(try await !phone.client.sessions.isSignedIn())
            #expect(phone.tunnel.asked.last == "POST /api/v1/auth/logout")
            await screen.signOut()
            #expect(screen.signingOut == .done(nil))
        }
    }

    @Test("Where something waits for the house, signing out asks first")
    func warned() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await Phone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            phone.tunnel.turn(.closed)
            for action in ["on", "off"] { _ = try await phone.replica.control(DeviceCommand("hall-light", action)) }
            await screen.signOut()
            guard case .asksFirst(let warning) = screen.signingOut else {
                Issue.record("\(screen.signingOut)")
                return
            }
            #expect(warning.hasPrefix("The house is still to hear about Hall light."))
            screen.stay()
            #expect(screen.signingOut == .no)
            #expect(try await phone.client.sessions.isSignedIn())
            await screen.signOut()
            await screen.signOut(evenSo: true)
            guard case .done(let problem?) = screen.signingOut else {
                Issue.record("\(screen.signingOut)")
                return
            }
            #expect(problem.title == "The house could not be told")
            #expect(try await !phone.client.sessions.isSignedIn())
            #expect(try await phone.replica.queue().count == 2, "it stays here")
        }
    }

    @Test("Signed out elsewhere already, one is signed out")
    func already() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await Phone.signedIn(to: house, over: line)
            let screen = await looking(phone)
            try await phone.client.sessions.logout()
            await screen.signOut()
            #expect(screen.signingOut == .done(nil))
        }
    }

    @Test("That the house's record is not what it was is an alarm, in the settings and beside what waits, until it is taken as it is")
    func recordAlarm() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await Phone.signedIn(to: house, over: line, clock: ManualClock(house.clock.now))
            let surroundings = Phone.surroundings(phone.clock)
            try await house.hub.notary.sign(at: house.clock.now)
            let screen = SettingsScreen(client: phone.client, replica: phone.replica, surroundings: surroundings)
            let status = SyncStatusScreen(replica: phone.replica, surroundings: surroundings)
            await screen.refresh()
            try await house.growRecord(by: 3)
            phone.clock.advance(by: 3601)
            await screen.refresh()
            await status.sync()
            #expect(screen.recordAlarm == nil && status.recordAlarm == nil)
            let seen = try #require(status.lastReport?.trail?.size)

            try await house.cutRecord(after: seen - 2)
            try await house.startAgain(phone) { @MainActor again in
                try await again.hub.notary.sign(at: again.clock.now)
                phone.clock.advance(by: 3601)
                await screen.refresh()
                let alarm = try #require(screen.recordAlarm)
                #expect(
                    alarm.title == "The house's record is not what it was" && alarm.text.contains("Seen from here last: \(seen) entries"))
                phone.tunnel.turn(.closed)
                await screen.refresh()
                await status.sync()
                #expect(screen.recordAlarm == alarm && status.recordAlarm == alarm, "it stays in a tunnel, and on every screen")
                await screen.acceptRecord()
                #expect(screen.recordAlarm == alarm && screen.problem?.canRetry == true, "what is not shown is not accepted")
                phone.tunnel.turn(.hides("/audit/checkpoint"))
                await screen.acceptRecord()
                #expect(screen.recordAlarm == alarm && screen.problem?.title == "The house does not show its record")
                phone.tunnel.turn(.clear)
                await screen.acceptRecord()
                await status.sync()
                #expect(screen.recordAlarm == nil && status.recordAlarm == nil && screen.house.problem == nil && screen.problem == nil)
                #expect(status.lastReport?.trail != nil, "it is watched on from here")
            }
        }
    }

    @Test("That the house found an entry of its record altered is said, at which one and how, until it finds none")
    func altered() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await Phone.signedIn(to: house, over: line, clock: ManualClock(house.clock.now))
            let surroundings = Phone.surroundings(phone.clock)
            try await house.growRecord(by: 30)
            let screen = SettingsScreen(client: phone.client, replica: phone.replica, surroundings: surroundings)
            let status = SyncStatusScreen(replica: phone.replica, surroundings: surroundings)
            await screen.refresh()
            #expect(screen.recordAlarm == nil)
            // Its services do not run: it looks when it is told to.
            try await house.startAgain(phone) { @MainActor again in
                try await again.tamper("UPDATE audit SET result = result + 1 WHERE seq = 17")
                try await again.hub.auditWatch.look()
                phone.clock.advance(by: 3601)
                await screen.refresh()
                await status.sync()
                let alarm = try #require(screen.recordAlarm)
                #expect(alarm.title == "The house's record was altered" && status.recordAlarm == alarm)
                await screen.acceptRecord()
                #expect(screen.recordAlarm == alarm, "it is altered all the same")
                #expect(
                    alarm.text.hasPrefix(
                        "Altered at entry 17. The house looked at its record: Entry 17 of the audit trail is filed under something"))

                try await again.tamper("UPDATE audit SET result = result - 1 WHERE seq = 17")
                try await again.hub.auditWatch.look()
                phone.clock.advance(by: 3601)
                await screen.refresh()
                await status.sync()
                #expect(screen.recordAlarm == nil && status.recordAlarm == nil)
            }
        }
    }

    @Test("What was seen of the record and cannot be read any more is told of in the settings, and leaves every screen what it shows")
    func unreadable() async throws {
        try await withFile { file in
            try await withHouse { @MainActor house, line in
                let phone = try await Phone.signedIn(to: house, over: line, file: file)
                try await house.hub.notary.sign(at: house.clock.now)
                let screen = await looking(phone)
                #expect(screen.recordAlarm == nil)
                let other = try DatabaseQueue(path: file.path)
                try await other.write { try $0.execute(sql: "UPDATE trail SET sealed = x'010203'") }
                await screen.refresh()
                let devices = DevicesScreen(replica: phone.replica, surroundings: Phone.surroundings(phone.clock))
                await devices.refresh()
                guard case .ready = screen.house, case .ready = devices.shown else {
                    Issue.record("they show \(screen.house) and \(devices.shown)")
                    return
                }
                #expect(screen.recordAlarm?.title == "It is not known whether the house's record is what it was")
                await screen.acceptRecord()
                #expect(screen.recordAlarm == nil && screen.problem == nil)
            }
        }
    }
}
