/// Seconds after which a wait gives up: a guard against hanging, which says nothing about expected speed.
private let waitLimit: Duration = .seconds(120)

/// A test's condition did not come true.
public struct WaitTimeoutError: Error, CustomStringConvertible {
    public let description: String
}

/// Waits until `condition` holds.
///
/// - Parameter what: the awaited condition, for the error.
/// - Throws: `WaitTimeoutError` after two minutes; `CancellationError`; the errors of `condition`.
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
        // Fast results are seen fast; slow ones are polled seldom.
        looks += 1
        if looks < 20 {
            try Task.checkCancellation()
            await Task.yield()
        } else {
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
