import Synchronization

/// A value that is set once, and that any number of tasks can wait for.
final class OneShotValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Mutex(State())

    /// The first value counts.
    func resolve(_ value: Value) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Value? in
                    if state.value == nil { state.waiting.append(continuation) }
                    return state.value
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }

    var valueIfResolved: Value? { state.withLock(\.value) }
}
