import CardeaClient
import Foundation

/// One process at a time. The lock goes with the process, however it ends.
public struct FileLock: Sendable {
    private let descriptor: Int32

    /// A file that stands for what is locked. It stays empty.
    public struct Place: Sendable {
        let url: URL

        public init(_ url: URL) { self.url = url }

        /// Waits for its turn without holding up a thread; gives up after `patience`.
        public func take(patience: Duration = .seconds(40)) async throws -> FileLock {
            let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw ClientError.storage("\(url.path) cannot be opened: \(String(cString: strerror(errno))).") }
            let end = ContinuousClock.now + patience
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                guard ContinuousClock.now < end else {
                    close(descriptor)
                    throw ClientError.storage("Another program holds \(url.path). Wait for it to end, then try again.")
                }
                do {
                    try await Task.sleep(for: .milliseconds(20))
                } catch {
                    close(descriptor)
                    throw error
                }
            }
            return FileLock(descriptor: descriptor)
        }
    }

    public func release() {
        close(descriptor)
    }
}
