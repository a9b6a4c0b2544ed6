/// Where a session is kept between calls, and between processes.
public protocol SessionStore: Sendable {
    func load() async throws -> Session?

    /// Runs `change` on what is kept now while nobody else can change it, in this process or another.
    /// What it leaves is kept, also when it throws.
    func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result
}

extension SessionStore {
    public func save(_ session: Session?) async throws {
        try await update { $0 = session }
    }
}

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
        // An actor lets others in at every await; a change must be alone until it ends.
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
