/// Orders requests to a device, one at a time, so that a request which finds no connection and is queued does not overtake an earlier one.
struct DeviceRequestSerializer {
    struct Ticket: Hashable {
        let device: String
        fileprivate let number: Int
    }

    private var queues: [String: [Ticket]] = [:]
    private var waiting: [Ticket: CheckedContinuation<Void, any Error>] = [:]
    private var next = 0

    /// Adds a ticket at the end of the device's queue. Each ticket must be released.
    mutating func enqueue(at device: String) -> Ticket {
        next += 1
        let turn = Ticket(device: device, number: next)
        queues[device, default: []].append(turn)
        return turn
    }

    /// Resumes the continuation when its ticket is the first of its queue.
    mutating func wait(for turn: Ticket, _ continuation: CheckedContinuation<Void, any Error>) {
        waiting[turn] = continuation
        resumeNext(turn.device)
    }

    /// Cancels the wait for this turn.
    mutating func cancel(_ turn: Ticket) {
        waiting.removeValue(forKey: turn)?.resume(throwing: CancellationError())
    }

    mutating func release(_ turn: Ticket) {
        queues[turn.device]?.removeAll { $0 == turn }
        if queues[turn.device]?.isEmpty == true { queues[turn.device] = nil }
        resumeNext(turn.device)
    }

    private mutating func resumeNext(_ device: String) {
        guard let first = queues[device]?.first else { return }
        waiting.removeValue(forKey: first)?.resume()
    }
}
