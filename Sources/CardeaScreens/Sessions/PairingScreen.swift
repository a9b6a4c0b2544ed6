import CardeaClient
import CardeaSecurity
import Foundation
import Observation

/// Pairs a phone with the house, by six digits.
@MainActor @Observable
public final class PairingScreen {
    public enum State: Hashable, Sendable {
        case entering
        case submitting
        case paired
        case failed(UserFacingError)
    }

    public private(set) var code = PairingCode("")
    public private(set) var state: State = .entering

    private let environment: ClientEnvironment
    private let redeem: @Sendable (Secret) async throws -> Void

    /// - Parameter redeem: shows the six digits to the house, and returns when this phone belongs to it.
    public init(environment: ClientEnvironment = .live, redeem: @escaping @Sendable (Secret) async throws -> Void) {
        self.environment = environment
        self.redeem = redeem
    }

    /// The text of the field. Only digits of typed or pasted text are kept.
    public var text: String {
        get { code.formatted }
        set {
            guard state != .submitting, state != .paired else { return }
            code = PairingCode(newValue)
            state = .entering
        }
    }

    public var canSubmit: Bool { code.isComplete && state != .submitting && state != .paired }

    public func submit() async {
        guard canSubmit else { return }
        state = .submitting
        do {
            try await redeem(Secret(code.digits))
            code = PairingCode("")
            state = .paired
        } catch {
            // A code that was not sent need not be typed again.
            if (error as? ClientError)?.isCertainlyUnsent != true { code = PairingCode("") }
            let words = RefusalText(HouseClock(zone: .current, now: environment.now()))
            state = UserFacingError(error, words: words).map { .failed($0) } ?? .entering
        }
    }
}
