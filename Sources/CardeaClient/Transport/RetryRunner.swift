import Foundation

/// How often and how soon a call is repeated whose answer was lost. Only calls that mean the same when asked twice come here.
struct RetryRunner: Sendable {
    /// A door's command is good for 10 s; a repetition that may be the first to arrive must not come later than that.
    static let window: TimeInterval = 8

    private let deadline: Date
    private var delays: [Duration] = [.milliseconds(150), .milliseconds(500), .milliseconds(1500), .milliseconds(1500)]
    /// Whether any try may have reached the hub. Then "nothing was sent" can no longer be said.
    private(set) var mayHaveArrived = false

    init(from start: Date) {
        deadline = start.addingTimeInterval(Self.window)
    }

    /// How long to wait before the next try, or nil to give up.
    mutating func delay(after failure: TransportError, at now: Date) -> Duration? {
        mayHaveArrived = mayHaveArrived || failure.mayHaveArrived
        switch failure {
        case .interrupted: return nextDelay(at: now)
        // Refused at once, but an earlier try may have arrived: its outcome is worth asking for.
        case .noConnection where mayHaveArrived: return nextDelay(at: now)
        case .noConnection, .untrusted, .timeout, .tooLarge, .cancelled: return nil
        }
    }

    /// How long to wait before an answer is asked for again that says nothing of the outcome; nil where it does.
    mutating func delay(after response: TransportResponse, isUrgent: Bool, at now: Date) -> Duration? {
        guard !response.isSuccess else { return nil }
        let refusal = APIError(response)
        // The hub still works on the first of two equal calls: the key is this one's alone, so it is the same wish.
        let isUnderWay = response.status == 409 && refusal.code == "in_flight"
        // Somebody stands at a door, and what is before the house has lost it for a moment. Whoever is in no such hurry waits longer.
        guard isUnderWay || (isUrgent && refusal.isGatewayFailure) else { return nil }
        mayHaveArrived = true
        return nextDelay(at: now)
    }

    private mutating func nextDelay(at now: Date) -> Duration? {
        guard now < deadline, !delays.isEmpty else { return nil }
        return delays.removeFirst()
    }
}
