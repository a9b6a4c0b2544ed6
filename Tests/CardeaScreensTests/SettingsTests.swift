import CardeaAPI
import CardeaClient
import CardeaScreens
import CardeaSync
import CardeaTestSupport
import Foundation
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
}
