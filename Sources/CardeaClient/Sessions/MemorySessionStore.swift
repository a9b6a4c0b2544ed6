/// Keeps a session for as long as the process lives.
public actor MemorySessionStore: SessionStore {
    private var session: Session?
    private var isUpdating = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public init(_ session: Session? = nil) {
        self.session = session
    }

    public func load() -> Session? { session }

    public func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result {
        // An actor is reentrant at every await; a change must be alone until it ends.
        if isUpdating {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isUpdating = true
        }
        defer { resumeNext() }
        var changed = session
        defer { session = changed }
        return try await change(&changed)
    }

    private func resumeNext() {
        if waiting.isEmpty {
            isUpdating = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
