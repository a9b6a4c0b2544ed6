import Synchronization

/// The commands that are not resolved, in memory, with the requests that wait for them and the entities whose report is expected.
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
        /// Commands that are not resolved.
        var commands: [String: Entry] = [:]
        /// The number of commands at each entity.
        var counts: [String: Int] = [:]
        var waiters: [String: [CheckedContinuation<Command?, Never>]] = [:]
        /// Commands whose device has started to move; they are due when it should have arrived.
        var moving: Set<String> = []
        /// Dispatched commands. A report from before the dispatch resolves none of them.
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

    /// Marks the command dispatched; false if it is already, or if it is resolved.
    func markDispatched(_ id: String) -> Bool {
        state.withLock { $0.commands[id] != nil && $0.dispatched.insert(id).inserted }
    }

    func isDispatched(_ id: String) -> Bool {
        state.withLock { $0.dispatched.contains(id) }
    }

    /// The origin of its request; nil if it is not known here, and if its principal was erased meanwhile, as the row shows.
    func origin(of command: Command) -> RequestOrigin? {
        state.withLock { state in
            state.commands[command.id].flatMap { $0.principal == command.principal ? $0.origin : nil }
        }
    }

    /// Marks its device moving; false if it is already, or if the command is resolved.
    func markMoving(_ id: String) -> Bool {
        state.withLock { $0.commands[id] != nil && $0.moving.insert(id).inserted }
    }

    func isMoving(_ id: String) -> Bool {
        state.withLock { $0.moving.contains(id) }
    }

    /// Waits until the command is resolved; nil at once if it is already.
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

    /// Removes the resolved command, and resumes the requests that wait for it.
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
