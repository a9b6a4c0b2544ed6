import CardeaTestSupport
import Foundation

/// Another program, started by a test and ended by its process id.
final class Program: @unchecked Sendable {
    // Foundation's Process is not Sendable; it is started once, in `init`, and afterwards only its id is used.
    private let process = Process()
    private let input: String?
    let lines = Watched<[String]>([])
    private let exit = Watched<Int32?>(nil)

    init(_ command: String, _ arguments: [String], directory: URL? = nil, input: String? = nil) throws {
        self.input = input
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.currentDirectoryURL = directory
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let lines = lines
        let reading = output.fileHandleForReading
        let exit = exit
        process.terminationHandler = { process in exit.change { $0 = process.terminationStatus } }
        try process.run()
        // A thread of its own, which blocks: Foundation's handlers crash now and then when a pipe ends while they are told of it.
        Thread.detachNewThread {
            var rest = ""
            while true {
                let data = reading.availableData
                if data.isEmpty { return }
                var parts = (rest + String(decoding: data, as: UTF8.self)).components(separatedBy: "\n")
                rest = parts.removeLast()
                let whole = parts
                lines.change { $0 += whole }
            }
        }
    }

    /// Sends a signal to this very process.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    @discardableResult
    func ended() async throws -> Int32 {
        try await exit.until("a program ends") { $0 != nil } ?? -1
    }

    func kill9() async throws {
        signal(SIGKILL)
        // A stopped process dies too.
        signal(SIGCONT)
        try await ended()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Runs a program to its end.
    @discardableResult
    static func run(_ command: String, _ arguments: [String], directory: URL? = nil) async throws -> [String] {
        let program = try Program(command, arguments, directory: directory)
        let status = try await program.ended()
        struct Failed: Error, CustomStringConvertible { let description: String }
        guard status == 0 else { throw Failed(description: "\(command): status \(status): \(program.lines.now)") }
        return program.lines.now
    }
}

/// A folder that goes with the test.
final class Scratch: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "cardea-mqtt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: url.appending(path: name)) }

    func read(_ name: String) throws -> String { try String(contentsOf: url.appending(path: name), encoding: .utf8) }
}
