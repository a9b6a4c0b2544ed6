import Synchronization

/// The commands that have not ended, in memory: who waits for which, and at which entities an answer is expected.
final class PendingCommands: Sendable {
    private struct Entry {
        let entityID: String
        let principal: String
        let origin: RequestOrigin?

        init(_ command: Command) {
            entityID = command.entityID
            principal = command.principal
            origin = command.origin
        }
    }

    private struct State {
        /// Commands that have not ended.
        var commands: [String: Entry] = [:]
        /// How many there are at each entity.
        var counts: [String: Int] = [:]
        var waiters: [String: [CheckedContinuation<Command?, Never>]] = [:]
        /// Commands whose device has set out; they are due when it should have arrived.
        var moving: Set<String> = []
        /// Commands that are being handed over, or have been. What a device says before answers none of them.
        var dispatched: Set<String> = []
    }

    private let state = Mutex(State())

    func add(_ command: Command) {
        state.withLock { state in
            if state.commands.updateValue(Entry(command), forKey: command.id) == nil {
                state.counts[command.entityID, default: 0] += 1
            }
        }
    }

    func contains(_ id: String) -> Bool {
        state.withLock { $0.commands[id] != nil }
    }

    func hasPendingCommand(for entityID: String) -> Bool {
        state.withLock { $0.counts[entityID] != nil }
    }

    /// The command is handed over from now on; false where that has been done, or where it has ended.
    func markDispatched(_ id: String) -> Bool {
        state.withLock { $0.commands[id] != nil && $0.dispatched.insert(id).inserted }
    }

    func isDispatched(_ id: String) -> Bool {
        state.withLock { $0.dispatched.contains(id) }
    }

    /// From where it was asked; nil where that is not known here, and where whoever asked was erased meanwhile, of which the row tells.
    func origin(of command: Command) -> RequestOrigin? {
        state.withLock { state in
            state.commands[command.id].flatMap { $0.principal == command.principal ? $0.origin : nil }
        }
    }

    /// Its device has set out; false where that was known, or where it has ended.
    func markMoving(_ id: String) -> Bool {
        state.withLock { $0.commands[id] != nil && $0.moving.insert(id).inserted }
    }

    func isMoving(_ id: String) -> Bool {
        state.withLock { $0.moving.contains(id) }
    }

    /// Waits for the command's end; nil at once where it has ended already.
    func completion(of id: String) async -> Command? {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                guard state.commands[id] != nil else { return false }
                state.waiters[id, default: []].append(continuation)
                return true
            }
            if !mustWait { continuation.resume(returning: nil) }
        }
    }

    /// The command has ended: whoever waits for it hears so.
    func complete(_ command: Command) {
        let waiters = state.withLock { state in
            state.moving.remove(command.id)
            state.dispatched.remove(command.id)
            if let entity = state.commands.removeValue(forKey: command.id)?.entityID, let count = state.counts[entity] {
                state.counts[entity] = count > 1 ? count - 1 : nil
            }
            return state.waiters.removeValue(forKey: command.id) ?? []
        }
        for waiter in waiters { waiter.resume(returning: command) }
    }
}
