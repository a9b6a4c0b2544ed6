import CardeaClient
import CardeaSecurity
import Foundation
import Observation

/// Making a phone one of the house's own, by six digits.
@MainActor @Observable
public final class PairingScreen {
    public enum State: Hashable, Sendable {
        case entering
        case asking
        case paired
        case failed(Problem)
    }

    public private(set) var code = PairingCode("")
    public private(set) var state: State = .entering

    private let surroundings: Surroundings
    private let redeem: @Sendable (Secret) async throws -> Void

    /// - Parameter redeem: shows the six digits to the house, and returns when this phone belongs to it.
    public init(surroundings: Surroundings = .live, redeem: @escaping @Sendable (Secret) async throws -> Void) {
        self.surroundings = surroundings
        self.redeem = redeem
    }

    /// What stands in the field. Whatever is typed or pasted, only digits stay.
    public var text: String {
        get { code.shown }
        set {
            guard state != .asking, state != .paired else { return }
            code = PairingCode(newValue)
            state = .entering
        }
    }

    public var canSubmit: Bool { code.isComplete && state != .asking && state != .paired }

    public func submit() async {
        guard canSubmit else { return }
        state = .asking
        do {
            try await redeem(Secret(code.digits))
            code = PairingCode("")
            state = .paired
        } catch {
            // What was not sent need not be typed again.
            if (error as? ClientError)?.saysNothingWasSent != true { code = PairingCode("") }
            let words = RefusalWords(HouseClock(zone: .current, now: surroundings.now()))
            state = Problem(error, words: words).map { .failed($0) } ?? .entering
        }
    }
}
