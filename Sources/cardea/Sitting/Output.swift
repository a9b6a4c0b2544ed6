import ArgumentParser
import CardeaAPI
import CardeaModel
import Foundation

/// What every command takes.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print the house's own JSON on standard output, and errors as JSON on standard error.")
    var json = false
}

/// Where words go: answers to standard output, everything about the asking to standard error.
struct Output: Sendable {
    let isJSON: Bool
    /// Whether standard output is a terminal that knows colours and wants them.
    let isColoured: Bool
    let isTerminal: Bool
    /// Whether standard error is read by a person, who likes to know what is waited for.
    let showsProgress: Bool

    init(json: Bool, environment: [String: String] = ProcessInfo.processInfo.environment) {
        isJSON = json
        isTerminal = isatty(STDOUT_FILENO) == 1
        isColoured = isTerminal && !json && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        showsProgress = isatty(STDERR_FILENO) == 1 && !json
    }

    /// The answer: the wire's object where JSON is wanted, else the text.
    func show(_ answer: some Encodable, text: () async throws -> String) async throws {
        say(isJSON ? String(decoding: try Wire.encode(answer), as: UTF8.self) : try await text())
    }

    func say(_ text: String) {
        Self.write(text, to: .standardOutput)
    }

    /// Something by the way: what is waited for, what was assumed.
    func note(_ text: String) {
        guard !isJSON else { return }
        Self.write(text, to: .standardError)
    }

    func progress(_ text: String) {
        if showsProgress { note(text) }
    }

    func complain(_ failure: Failure) {
        guard !isJSON else {
            let text = (try? Wire.encode(failure.wire)).map { String(decoding: $0, as: UTF8.self) }
            return Self.write(text ?? "{}", to: .standardError)
        }
        // By the request's number the hub's log tells what its answer does not.
        let trace = failure.status == .refused || failure.status == .unknown ? failure.requestID.map { " (request \($0))" } ?? "" : ""
        let shows = ["internal_error", "action_execution_failed", "outcome_unknown"].contains(failure.code) ? trace : ""
        Self.write(failure.message + shows, to: .standardError)
    }

    func dim(_ text: String) -> String { isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
    func bold(_ text: String) -> String { isColoured ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    private static func write(_ text: String, to file: FileHandle) {
        // A reader that has gone, as `head` does, is no reason to fall over.
        try? file.write(contentsOf: Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }
}
