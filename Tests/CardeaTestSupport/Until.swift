/// Waits until `condition` holds; the test's own time limit ends a wait that never does.
public func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { await Task.yield() }
}
