/// Who asks something of a device, in the order in which it was wished: one at a time, so that a wish which finds no connection and waits
/// does not come after the one that was made after it.
struct Turns {
    struct Turn: Hashable {
        let device: String
        fileprivate let number: Int
    }

    private var lines: [String: [Turn]] = [:]
    private var waiting: [Turn: CheckedContinuation<Void, any Error>] = [:]
    private var next = 0

    /// Takes the place behind all who stand at `device`. Whoever has drawn must leave.
    mutating func draw(at device: String) -> Turn {
        next += 1
        let turn = Turn(device: device, number: next)
        lines[device, default: []].append(turn)
        return turn
    }

    /// Resumed when it is the first of its line.
    mutating func wait(for turn: Turn, _ continuation: CheckedContinuation<Void, any Error>) {
        waiting[turn] = continuation
        call(turn.device)
    }

    /// Whoever waits for this turn no longer wants it.
    mutating func giveUp(_ turn: Turn) {
        waiting.removeValue(forKey: turn)?.resume(throwing: CancellationError())
    }

    mutating func leave(_ turn: Turn) {
        lines[turn.device]?.removeAll { $0 == turn }
        if lines[turn.device]?.isEmpty == true { lines[turn.device] = nil }
        call(turn.device)
    }

    private mutating func call(_ device: String) {
        guard let first = lines[device]?.first else { return }
        waiting.removeValue(forKey: first)?.resume()
    }
}
