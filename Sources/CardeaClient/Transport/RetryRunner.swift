import Foundation

/// The repeats of a call with a lost answer, and their delays. Only for repeatable calls.
struct RetryRunner: Sendable {
    /// Seconds. A door command is valid for 10 s; a repeat may be the first to arrive, so it must not come later than that.
    static let window: TimeInterval = 8

    private let deadline: Date
    private var delays: [Duration] = [.milliseconds(150), .milliseconds(500), .milliseconds(1500), .milliseconds(1500)]
    /// True if any try may have reached the hub. It is then no longer certain that nothing was sent.
    private(set) var mayHaveArrived = false

    init(from start: Date) {
        deadline = start.addingTimeInterval(Self.window)
    }

    /// The wait before the next try; nil to give up.
    mutating func delay(after failure: TransportError, at now: Date) -> Duration? {
        mayHaveArrived = mayHaveArrived || failure.mayHaveArrived
        switch failure {
        case .interrupted: return nextDelay(at: now)
        // Refused at once, but an earlier try may have arrived: another request may tell its outcome.
        case .noConnection where mayHaveArrived: return nextDelay(at: now)
        case .noConnection, .untrusted, .timeout, .tooLarge, .cancelled: return nil
        }
    }

    /// The wait before an answer that leaves the outcome open is requested again; nil if it does not.
    mutating func delay(after response: TransportResponse, isUrgent: Bool, at now: Date) -> Duration? {
        guard !response.isSuccess else { return nil }
        let refusal = APIError(response)
        // The hub still works on the first of two equal calls: the key belongs to this call alone, so it is the same command.
        let isUnderWay = response.status == 409 && refusal.code == "in_flight"
        // A person is at a door, and a gateway could not reach the house for a moment. Calls that are less urgent wait longer.
        guard isUnderWay || (isUrgent && refusal.isGatewayFailure) else { return nil }
        mayHaveArrived = true
        return nextDelay(at: now)
    }

    private mutating func nextDelay(at now: Date) -> Duration? {
        guard now < deadline, !delays.isEmpty else { return nil }
        return delays.removeFirst()
    }
}
