import Dispatch

/// Calls that wait for another program, on a thread of their own: the cooperative pool has one for each core.
enum BlockingCall {
    private static let queue = DispatchQueue(label: "cardea.secrets")

    static func run<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(SecretStoreError) -> Answer
    ) async throws(SecretStoreError) -> Answer {
        let result: Result<Answer, SecretStoreError> = await withCheckedContinuation { waiting in
            queue.async { waiting.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }
}
