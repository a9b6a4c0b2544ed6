/// Waits until `condition` holds; the test's own time limit, or the end of the house that it waits for, ends a wait that never does.
public func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
