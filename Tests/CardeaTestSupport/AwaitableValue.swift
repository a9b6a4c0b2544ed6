import Synchronization

/// A value that tests wait for: they continue as soon as it is as expected, and fail when it is not in time.
public final class AwaitableValue<Value: Sendable>: Sendable {
    public struct TimeoutError: Error, CustomStringConvertible {
        let what: String
        let value: String
        public var description: String { "waited in vain until \(what); it was \(value)" }
    }

    private struct State {
        var value: Value
        var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
    }

    private let state: Mutex<State>

    public init(_ value: Value) { state = Mutex(State(value: value)) }

    public var now: Value { state.withLock(\.value) }

    public func change(_ body: (inout Value) -> Void) {
        let bells = state.withLock { state in
            body(&state.value)
            return Array(state.continuations.values)
        }
        for bell in bells { bell.yield() }
    }

    /// - Parameter limit: a guard against hanging. It promises no speed: hundreds of tests share two cores.
    @discardableResult
    public func waitUntil(_ what: String, within limit: Duration = .seconds(120), _ isSo: (Value) -> Bool) async throws -> Value {
        let (rings, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.count += 1
            state.continuations[state.count] = bell
            return state.count
        }
        // Ends with this call.
        let deadline = Task {
            try? await Task.sleep(for: limit)
            bell.finish()
        }
        defer {
            deadline.cancel()
            state.withLock { $0.continuations[number] = nil }
        }
        var iterator = rings.makeAsyncIterator()
        while true {
            let value = now
            if isSo(value) { return value }
            guard await iterator.next() != nil else { throw TimeoutError(what: what, value: "\(value)") }
        }
    }
}
