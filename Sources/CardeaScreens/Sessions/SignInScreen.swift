import CardeaClient
import CardeaSecurity
import Foundation
import Observation

/// Signing in: which house, who, and the password.
@MainActor @Observable
public final class SignInScreen {
    public enum State: Sendable {
        case entering
        case asking
        /// Somebody is signed in, and this speaks for them.
        case signedIn(CardeaClient)
        case failed(Problem)
    }

    public var address: String { didSet { forgetProblem() } }
    public var username: String { didSet { forgetProblem() } }
    /// Gone as soon as the house has seen it.
    public var password = Secret("") { didSet { forgetProblem() } }
    public private(set) var state: State = .entering

    private let surroundings: Surroundings
    private let connect: @Sendable (HubAddress) throws -> CardeaClient

    /// - Parameter connect: makes the client of the house at an address.
    public init(
        address: String = "", username: String = "", surroundings: Surroundings = .live,
        connect: @escaping @Sendable (HubAddress) throws -> CardeaClient
    ) {
        self.address = address
        self.username = username
        self.surroundings = surroundings
        self.connect = connect
    }

    public var canSubmit: Bool {
        if case .asking = state { return false }
        return ![address, username].contains { Self.trimmed($0).isEmpty } && !password.reveal().isEmpty
    }

    /// Why nothing would be sent to what is typed: the tokens could be read on the way.
    public var warning: Problem? {
        do throws(ClientError) {
            _ = try HubAddress(address)
        } catch {
            if case .insecureConnection = error { return Problem(error) }
        }
        return nil
    }

    public func submit() async {
        guard canSubmit else { return }
        state = .asking
        do {
            let client = try connect(HubAddress(address))
            try await client.sessions.login(username: Self.trimmed(username), password: password)
            password = Secret("")
            state = .signedIn(client)
        } catch {
            // What was not sent need not be typed again.
            if (error as? ClientError)?.saysNothingWasSent != true, !Self.isAboutAddress(error) { password = Secret("") }
            let words = RefusalWords(HouseClock(zone: .current, now: surroundings.now()))
            state = Problem(error, words: words).map { .failed($0) } ?? .entering
        }
    }

    private func forgetProblem() {
        if case .failed = state { state = .entering }
    }

    private static func isAboutAddress(_ error: any Error) -> Bool {
        switch error as? ClientError {
        case .insecureConnection, .invalidURL: true
        default: false
        }
    }

    private static func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}
