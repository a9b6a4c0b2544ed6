import Foundation

/// How often and how soon a call is repeated whose answer was lost. Only calls that mean the same when asked twice come here.
struct Repeats: Sendable {
    /// A door's command is good for 10 s; a repetition that may be the first to arrive must not come later than that.
    static let window: TimeInterval = 8

    private let until: Date
    private var pauses: [Duration] = [.milliseconds(150), .milliseconds(500), .milliseconds(1500), .milliseconds(1500)]
    /// Whether any try may have reached the hub. Then "nothing was sent" can no longer be said.
    private(set) var mayHaveArrived = false

    init(from start: Date) {
        until = start.addingTimeInterval(Self.window)
    }

    /// How long to wait before the next try, or nil to give up.
    mutating func pause(after failure: TransportFailure, at now: Date) -> Duration? {
        mayHaveArrived = mayHaveArrived || failure.mayHaveArrived
        switch failure {
        case .interrupted: return next(at: now)
        // Refused at once, but an earlier try may have arrived: its outcome is worth asking for.
        case .noConnection where mayHaveArrived: return next(at: now)
        case .noConnection, .untrusted, .timeout, .tooLarge, .cancelled: return nil
        }
    }

    /// How long to wait for the first of two equal calls, which the hub still works on.
    mutating func pauseWhileInFlight(at now: Date) -> Duration? {
        mayHaveArrived ? next(at: now) : nil
    }

    private mutating func next(at now: Date) -> Duration? {
        guard now < until, !pauses.isEmpty else { return nil }
        return pauses.removeFirst()
    }
}
