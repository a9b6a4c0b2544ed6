/// Stores a session between calls and between processes.
public protocol SessionStore: Sendable {
    func load() async throws -> Session?

    /// Runs `change` on the stored session while no other process can change it. The changed value is stored, also when it throws.
    func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result
}

extension SessionStore {
    public func save(_ session: Session?) async throws {
        try await update { $0 = session }
    }
}
