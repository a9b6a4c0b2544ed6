import CardeaAPI
import CardeaClient
import CardeaScreens
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HummingbirdTesting
import Testing

@Suite("Sign-in screen", .timeLimit(.minutes(10)))
struct SignInScreenTests {
    /// A screen in front of a house, and the transport to it.
    @MainActor private func before(
        _ house: TestHouse, _ line: any TestClientProtocol, address: String = "localhost"
    ) -> (screen: SignInScreen, tunnel: FaultyTransport) {
        let tunnel = FaultyTransport(RouterTransport(line))
        let environment = TestPhone.environment(house.clock)
        let screen = SignInScreen(address: address, environment: environment) {
            CardeaClient(hub: $0, transport: tunnel, resilience: .none, environment: environment)
        }
        screen.username = " owner "
        screen.password = TestHouse.password
        return (screen, tunnel)
    }

    @MainActor private func problem(of screen: SignInScreen) throws -> UserFacingError {
        guard case .failed(let problem) = screen.state else { throw UserFacingError(title: "It did not fail", text: "\(screen.state)") }
        return problem
    }

    @Test("The right password signs in and is not kept")
    func signedIn() async throws {
        try await withHouse { @MainActor house, line in
            let (screen, _) = before(house, line)
            #expect(screen.canSubmit)
            await screen.submit()
            guard case .signedIn(let client) = screen.state else {
                Issue.record("\(screen.state)")
                return
            }
            let person = try await client.people.me()
            #expect(person.username == "owner")
            #expect(screen.password.reveal().isEmpty && !screen.canSubmit)
        }
    }

    @Test("With an empty field nothing is sent")
    func empty() async throws {
        try await withHouse { @MainActor house, line in
            let (screen, tunnel) = before(house, line)
            for clear in [\SignInScreen.address, \.username] {
                let before = screen[keyPath: clear]
                screen[keyPath: clear] = "  "
                #expect(!screen.canSubmit)
                await screen.submit()
                screen[keyPath: clear] = before
            }
            screen.password = Secret("")
            #expect(!screen.canSubmit)
            await screen.submit()
            #expect(tunnel.requests.isEmpty)
        }
    }

    @Test("A wrong password is reported and cleared, and typing clears the message")
    func wrong() async throws {
        try await withHouse { @MainActor house, line in
            let (screen, _) = before(house, line)
            screen.password = Secret("wrong horse battery")
            await screen.submit()
            let problem = try problem(of: screen)
            #expect(problem.text == "The name or password is wrong.")
            #expect(screen.password.reveal().isEmpty)
            screen.password = TestHouse.password
            guard case .entering = screen.state else {
                Issue.record("the words stay")
                return
            }
            await screen.submit()
            guard case .signedIn = screen.state else {
                Issue.record("\(screen.state)")
                return
            }
        }
    }

    @Test("Offline nothing is sent, and the password stays in its field")
    func tunnel() async throws {
        try await withHouse { @MainActor house, line in
            let (screen, tunnel) = before(house, line)
            tunnel.setCondition(.unreachable)
            await screen.submit()
            let problem = try problem(of: screen)
            #expect(problem.title == "No internet connection" && problem.canRetry && screen.canSubmit)
            tunnel.setCondition(.clear)
            await screen.submit()
            guard case .signedIn = screen.state else {
                Issue.record("\(screen.state)")
                return
            }
        }
    }

    @Test("Plain HTTP to another machine is explained before and after, and nothing is sent")
    func insecure() async throws {
        try await withHouse { @MainActor house, line in
            let (screen, tunnel) = before(house, line, address: "http://192.168.1.20:8080")
            let warning = try #require(screen.warning)
            #expect(warning.title == "This connection is not safe" && warning.text.contains("plain http would expose your tokens"))
            await screen.submit()
            #expect(try problem(of: screen) == warning)
            #expect(tunnel.requests.isEmpty && screen.canSubmit)
            screen.address = "localhost"
            #expect(screen.warning == nil)
            screen.address = "not an address"
            #expect(screen.warning == nil)
            await screen.submit()
            #expect(try problem(of: screen).text.contains("is not the address of a hub"))
        }
    }
}
