/// Who asks something of a device, in the order in which it was wished: one at a time, so that a wish which finds no connection and waits
/// does not come after the one that was made after it.
struct DeviceRequestQueue {
    struct Ticket: Hashable {
        let device: String
        fileprivate let number: Int
    }

    private var queues: [String: [Ticket]] = [:]
    private var waiting: [Ticket: CheckedContinuation<Void, any Error>] = [:]
    private var next = 0

    /// Takes the place behind all who stand at `device`. Whoever has drawn must leave.
    mutating func enqueue(at device: String) -> Ticket {
        next += 1
        let turn = Ticket(device: device, number: next)
        queues[device, default: []].append(turn)
        return turn
    }

    /// Resumed when it is the first of its line.
    mutating func wait(for turn: Ticket, _ continuation: CheckedContinuation<Void, any Error>) {
        waiting[turn] = continuation
        resumeNext(turn.device)
    }

    /// Whoever waits for this turn no longer wants it.
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
