import CardeaClient
import CardeaSecurity
import Foundation
import Observation

/// Signing in: which house, who, and the password.
@MainActor @Observable
public final class SignInScreen {
    public enum State: Sendable {
        case entering
        case submitting
        /// Signed in, with the person's client.
        case signedIn(CardeaClient)
        case failed(UserFacingError)
    }

    public var address: String { didSet { clearError() } }
    public var username: String { didSet { clearError() } }
    /// Cleared once the house has received it.
    public var password = Secret("") { didSet { clearError() } }
    public private(set) var state: State = .entering

    private let environment: ClientEnvironment
    private let connect: @Sendable (HubAddress) throws -> CardeaClient

    /// - Parameter connect: makes the client of the house at an address.
    public init(
        address: String = "", username: String = "", environment: ClientEnvironment = .live,
        connect: @escaping @Sendable (HubAddress) throws -> CardeaClient
    ) {
        self.address = address
        self.username = username
        self.environment = environment
        self.connect = connect
    }

    public var canSubmit: Bool {
        if case .submitting = state { return false }
        return ![address, username].contains { Self.trimmed($0).isEmpty } && !password.reveal().isEmpty
    }

    /// The reason why nothing would be sent to the typed address: the tokens could be read on the network.
    public var warning: UserFacingError? {
        do throws(ClientError) {
            _ = try HubAddress(address)
        } catch {
            if case .insecureConnection = error { return UserFacingError(error) }
        }
        return nil
    }

    public func submit() async {
        guard canSubmit else { return }
        state = .submitting
        do {
            let client = try connect(HubAddress(address))
            try await client.sessions.login(username: Self.trimmed(username), password: password)
            password = Secret("")
            state = .signedIn(client)
        } catch {
            // A password that was not sent need not be typed again.
            if (error as? ClientError)?.isCertainlyUnsent != true, !Self.isAboutAddress(error) { password = Secret("") }
            let words = RefusalText(HouseClock(zone: .current, now: environment.now()))
            state = UserFacingError(error, words: words).map { .failed($0) } ?? .entering
        }
    }

    private func clearError() {
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
