import CardeaSecurity
import Foundation

/// Asks the person at the terminal, or reads piped input line by line. Secrets are read only in this way: command-line arguments are in the
/// shell's history and in the process list of every user.
struct Prompt: Sendable {
    let isInteractive = isatty(STDIN_FILENO) == 1

    /// A line, or `fallback` if nothing is typed.
    func line(_ question: String, fallback: String? = nil) throws -> String {
        if isInteractive { Self.ask(question + (fallback.map { " [\($0)]" } ?? "")) }
        guard let typed = readLine(strippingNewline: true) else { throw Self.missingInput(question) }
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.isEmpty, let fallback { return fallback }
        guard !text.isEmpty else { throw Self.missingInput(question) }
        return text
    }

    /// Reads a message of a conversation; nil at the end of the input.
    func readMessage() -> String? {
        try? FileHandle.standardError.write(contentsOf: Data("> ".utf8))
        return readLine(strippingNewline: true)?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// A password, which is not shown while it is typed.
    func secret(_ question: String) throws -> Secret {
        let text: String?
        if isInteractive {
            text = try HiddenInput.read { Self.ask(question) }
            try? FileHandle.standardError.write(contentsOf: Data("\n".utf8))
        } else {
            text = readLine(strippingNewline: true)
        }
        guard let text, !text.isEmpty else { throw Self.missingInput(question) }
        return Secret(text)
    }

    /// A new password: asked twice at a terminal, where it is not shown.
    func newPassword() throws -> Secret {
        let password = try secret("Password")
        guard (8...128).contains(password.reveal().count) else {
            throw CommandLineError.usage(
                "A password needs 8 to 128 characters. Three or four unrelated words make a good one.")
        }
        try confirmRepeated(password)
        return password
    }

    /// A new PIN: asked twice at a terminal, where it is not shown.
    func newPIN() throws -> Secret {
        let pin = try secret("PIN, 6 characters or more")
        guard PINRule.isValid(pin) else { throw PINError.invalid }
        try confirmRepeated(pin)
        return pin
    }

    /// A new PIN; nil if nothing is typed, or if there is no terminal.
    func newPINOrNone() throws -> Secret? {
        guard isInteractive else { return nil }
        let typed = try HiddenInput.read { Self.ask("PIN for every opening (Enter for none)") } ?? ""
        try? FileHandle.standardError.write(contentsOf: Data("\n".utf8))
        guard !typed.isEmpty else { return nil }
        let pin = Secret(typed)
        guard PINRule.isValid(pin) else { throw PINError.invalid }
        try confirmRepeated(pin)
        return pin
    }

    private func confirmRepeated(_ first: Secret) throws {
        guard isInteractive else { return }
        let again = try secret("Repeat it")
        let isSame = OpaqueString.candidates(again)[0].digest == OpaqueString.candidates(first)[0].digest
        guard isSame else { throw CommandLineError.usage("The two entries differ. Nothing was sent.") }
    }

    /// Yes or no, at a terminal; elsewhere the question must have been answered beforehand.
    func confirm(_ question: String, beforehand: Bool) throws {
        if beforehand { return }
        guard isInteractive else { throw CommandLineError.usage("\(question) Add --yes to confirm in a script.") }
        Self.ask("\(question) (yes/no)")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        guard answer == "y" || answer == "yes" else {
            throw CommandLineError(status: .refused, code: "cancelled", message: "Nothing was changed.")
        }
    }

    private static func ask(_ question: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\(question): ".utf8))
    }

    private static func missingInput(_ question: String) -> CommandLineError {
        .usage("No input for \"\(question)\". Type it when asked, or pipe it in, one answer on each line.")
    }
}
