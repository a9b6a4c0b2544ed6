/// Seconds after which a wait gives up: a guard against hanging, which says nothing of how fast anything should be.
private let waitLimit: Duration = .seconds(120)

/// The condition that a test waited for never came.
public struct WaitTimeoutError: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until `condition` holds.
///
/// - Parameter what: what is waited for, for the error.
/// - Throws: `WaitTimeoutError` after two minutes; `CancellationError`; whatever `condition` throws.
public func waitUntil(
    _ what: String? = nil, isolation: isolated (any Actor)? = #isolation, file: String = #fileID, line: Int = #line,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + waitLimit
    var looks = 0
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            throw WaitTimeoutError(description: "\(file):\(line): gave up after \(waitLimit): \(what ?? "the condition never held")")
        }
        // What comes soon is seen soon; what takes longer is not waited for with the processor.
        looks += 1
        if looks < 20 {
            try Task.checkCancellation()
            await Task.yield()
        } else {
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
