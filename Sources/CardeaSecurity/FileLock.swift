import Foundation

/// One process at a time. The lock goes with the process, however it ends.
public struct FileLock: Sendable {
    private let descriptor: Int32

    /// A file that represents the locked resource. It stays empty.
    public struct LockFile: Sendable {
        let url: URL

        public init(_ url: URL) { self.url = url }

        /// Waits for the lock without blocking a thread; gives up after `timeout`.
        ///
        /// - Throws: `PrivateFile.FileError`, or `CancellationError` if the task was cancelled.
        public func acquire(timeout: Duration = .seconds(40)) async throws -> FileLock {
            let (lock, end) = (try open(), ContinuousClock.now + timeout)
            while !lock.tryLock() {
                do {
                    guard ContinuousClock.now < end else { throw lockedError }
                    try await Task.sleep(for: .milliseconds(20))
                } catch {
                    lock.release()
                    throw error
                }
            }
            return lock
        }

        /// The same for short work that blocks its thread anyway, such as opening a database.
        public func acquireBlocking() throws(PrivateFile.FileError) -> FileLock {
            let lock = try open()
            _ = try systemCall("locked", holding: lock) { flock(lock.descriptor, LOCK_EX) }
            return lock
        }

        private var lockedError: PrivateFile.FileError { .unavailable("another program holds \(url.path)") }

        private func open() throws(PrivateFile.FileError) -> FileLock {
            FileLock(descriptor: try systemCall("opened", holding: nil) { PrivateFile.open(url.path, O_RDWR | O_CREAT) })
        }

        /// Returns the result of a system call, which is repeated when a signal interrupts it.
        ///
        /// - Parameter lock: released if the call fails.
        private func systemCall(_ words: String, holding lock: FileLock?, _ call: () -> Int32) throws(PrivateFile.FileError) -> Int32 {
            repeat {
                let answer = call()
                if answer >= 0 { return answer }
            } while errno == EINTR
            let reason = PrivateFile.reason()
            lock?.release()
            throw .unavailable("\(url.path) cannot be \(words): \(reason)")
        }
    }

    private func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    public func release() {
        close(descriptor)
    }
}
