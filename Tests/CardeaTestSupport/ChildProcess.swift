import CSpawn
import Foundation
import Glibc
import Synchronization

/// Another program, started by a test and ended by its process id.
///
/// Started by `posix_spawn` itself: on Linux Foundation's `Process` reads beyond a directory entry as it looks for open descriptors, and
/// once in some hundred starts that crashed the whole test run.
public final class ChildProcess: Sendable {
    public struct LaunchError: Error, CustomStringConvertible {
        public let description: String
    }

    private let id: pid_t
    public let lines = AwaitableValue<[String]>([])
    private let exit = AwaitableValue<Int32?>(nil)

    /// - Parameter hearsErrors: true if its standard error is among its lines.
    public init(_ command: String, _ arguments: [String], directory: URL? = nil, hearsErrors: Bool = true) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LaunchError(description: "\(command): no pipe: \(String(cString: strerror(errno)))") }
        let (reading, writing) = (ends[0], ends[1])
        defer { close(writing) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writing, STDOUT_FILENO)
        if hearsErrors {
            posix_spawn_file_actions_adddup2(&actions, writing, STDERR_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory.path) }
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var id: pid_t = 0
        let problem = Self.withCStrings([command] + arguments) { words in
            Self.withCStrings(environment) { posix_spawnp(&id, command, &actions, nil, words, $0) }
        }
        guard problem == 0 else {
            close(reading)
            throw LaunchError(description: "\(command): not started: \(String(cString: strerror(problem)))")
        }
        self.id = id
        let (lines, exit, child) = (lines, exit, id)
        // Separate threads, because they block.
        Thread.detachNewThread {
            Self.read(reading, into: lines)
            close(reading)
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            exit.change { $0 = status & 0x7F == 0 ? (status >> 8) & 0xFF : status & 0x7F }
        }
    }

    private static func read(_ descriptor: Int32, into lines: AwaitableValue<[String]>) {
        var rest: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            var parts = (rest + bytes.prefix(count)).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(parts.removeLast())
            let whole = parts.map { String(decoding: $0, as: UTF8.self) }
            lines.change { $0 += whole }
        }
        let last = String(decoding: rest, as: UTF8.self)
        if !last.isEmpty { lines.change { $0.append(last) } }
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeBufferPointer { pointers in
            // It contains at least the final nil.
            pointers.baseAddress.map(body) ?? body([nil])
        }
    }

    /// Sends a signal to this very process.
    public func signal(_ number: Int32) {
        if exit.now == nil { kill(id, number) }
    }

    @discardableResult
    public func ended() async throws -> Int32 {
        try await exit.waitUntil("a program ends") { $0 != nil } ?? -1
    }

    public func killAndWait() async throws {
        signal(SIGKILL)
        // A stopped process ends too.
        signal(SIGCONT)
        try await ended()
    }

    deinit { signal(SIGKILL) }

    /// Runs a program to its end.
    @discardableResult
    public static func run(
        _ command: String, _ arguments: [String], directory: URL? = nil, hearsErrors: Bool = true
    ) async throws -> [String] {
        let program = try ChildProcess(command, arguments, directory: directory, hearsErrors: hearsErrors)
        let status = try await program.ended()
        guard status == 0 else { throw LaunchError(description: "\(command): status \(status): \(program.lines.now)") }
        return program.lines.now
    }
}
