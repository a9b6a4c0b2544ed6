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
