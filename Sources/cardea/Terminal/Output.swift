import ArgumentParser
import CardeaAPI
import CardeaModel
import Foundation

/// Writes answers to standard output and all other messages to standard error.
struct Output: Sendable {
    let isJSON: Bool
    /// True if standard output is a terminal that supports colours, and colours are wanted.
    let isColoured: Bool
    let isTerminal: Bool
    /// True if standard error is a terminal and the output is not JSON, so that progress is shown.
    let showsProgress: Bool
    private let drawsProgress: Bool

    init(json: Bool, environment: [String: String] = ProcessInfo.processInfo.environment) {
        isJSON = json
        isTerminal = isatty(STDOUT_FILENO) == 1
        isColoured = isTerminal && !json && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        showsProgress = isatty(STDERR_FILENO) == 1 && !json
        drawsProgress = showsProgress && environment["TERM"] != "dumb"
    }

    /// Prints the answer: the wire's object with `--json`, else the text.
    func show(_ answer: some Encodable, text: () async throws -> String) async throws {
        writeLine(isJSON ? String(decoding: try WireFormat.encode(answer), as: UTF8.self) : try await text())
    }

    func writeLine(_ text: String) {
        Self.write(text, to: .standardOutput)
    }

    /// A picture, before the words about it.
    func draw(_ picture: TerminalImage) {
        try? FileHandle.standardOutput.write(contentsOf: Data("\(picture.text)\n".utf8))
    }

    /// A note beside the answer, such as a wait or an assumption.
    func note(_ text: String) {
        guard !isJSON else { return }
        Self.write(text, to: .standardError)
    }

    /// A warning that must not be overlooked. With JSON it is JSON on standard error, beside the answer.
    func warn(_ failure: CommandLineError) {
        isJSON ? report(failure) : Self.write("WARNING: \(failure.message)", to: .standardError)
    }

    func progress(_ text: String) {
        if showsProgress { note(text) }
    }

    /// Shows what is waited for, if it takes noticeably long. The line is removed when there is an answer.
    func showingProgress<Answer>(for what: String, _ work: () async throws -> Answer) async throws -> Answer {
        guard drawsProgress else { return try await work() }
        let begun = ContinuousClock.now
        // Ended below, before any other output.
        let telling = Task {
            try await Task.sleep(for: .milliseconds(500))
            defer { Self.draw("\r\u{1B}[K") }
            while true {
                let seconds = (ContinuousClock.now - begun).components.seconds
                Self.draw("\r\(what)…\(seconds > 1 ? " \(seconds) s" : "")\u{1B}[K")
                try await Task.sleep(for: .seconds(1))
            }
        }
        let result: Result<Answer, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        telling.cancel()
        _ = await telling.result
        return try result.get()
    }

    func report(_ failure: CommandLineError) {
        guard !isJSON else {
            let text = (try? WireFormat.encode(failure.jsonBody)).map { String(decoding: $0, as: UTF8.self) }
            return Self.write(text ?? "{}", to: .standardError)
        }
        // The request's id leads to the details in the hub's log.
        let trace = failure.status == .refused || failure.status == .unknown ? failure.requestID.map { " (request \($0))" } ?? "" : ""
        let shows = ["internal_error", "action_execution_failed", "outcome_unknown"].contains(failure.code) ? trace : ""
        Self.write(failure.message + shows, to: .standardError)
    }

    var style: TerminalStyle { TerminalStyle(isColoured: isColoured) }
    func dim(_ text: String) -> String { style.dim(text) }
    func bold(_ text: String) -> String { style.bold(text) }

    private static func draw(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    private static func write(_ text: String, to file: FileHandle) {
        let text = TextWidth.sanitized(text)
        // A reader that has closed the pipe, like `head`, is not an error.
        try? file.write(contentsOf: Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }
}
