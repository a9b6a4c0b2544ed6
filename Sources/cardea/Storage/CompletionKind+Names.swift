import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity
import CardeaSync
import Dispatch
import Foundation

/// Stored names of the things in the house, for shell completion. Completion asks neither the house nor for a password, creates nothing,
/// and offers no names on an error.
extension CompletionKind {
    static var devices: CompletionKind { names { try await $0.names(of: .device) } }
    static var doors: CompletionKind { names { try await $0.doors() } }
    static var rooms: CompletionKind { names { try await $0.names(of: .room) } }
    static var scenes: CompletionKind { names { try await $0.names(of: .scene) } }
    static var guests: CompletionKind { names { try await $0.names(of: .guest) } }
    static var cameras: CompletionKind { names { try await $0.cameras() } }
    static var buttons: CompletionKind { names { try await $0.buttons() } }
    static var tags: CompletionKind { names { try await $0.tags() } }
    static var queued: CompletionKind {
        names { try await $0.replica()?.outboxEntries().map { CompletionCandidate(String($0.id.prefix(8)), id: $0.id) } ?? [] }
    }
    static var conflicts: CompletionKind {
        names { try await $0.replica()?.conflicts().map { CompletionCandidate(String($0.id.prefix(8)), id: $0.id) } ?? [] }
    }

    private static func names(_ ask: @escaping @Sendable (CompletionSource) async throws -> [CompletionCandidate]) -> CompletionKind {
        .custom { _, _, typed in
            CompletionDeadline.exitProcess(after: .seconds(1))
            guard let known = try? await ask(CompletionSource()) else { return [] }
            return CompletionCandidate.matches(known, typed: typed).map { CompletionShell.requesting?.quoted($0) ?? $0 }
        }
    }
}

/// The name and id of one thing.
struct CompletionCandidate: Hashable, Sendable {
    let name: String
    let id: String

    init(_ name: String, id: String) {
        self.name = name
        self.id = id
    }

    /// The completions for typed text: names, or ids if no name begins with it. The id replaces a name that is ambiguous or cannot be typed
    /// safely.
    static func matches(_ known: [CompletionCandidate], typed: String) -> [String] {
        let counts = Dictionary(known.map { ($0.name, 1) }, uniquingKeysWith: +)
        let names = known.map { counts[$0.name] == 1 && isSafe($0.name) ? $0.name : $0.id }
        let plain = unquoted(typed)
        let fitting = names.filter { $0.hasPrefix(plain) }
        return fitting.isEmpty ? known.map(\.id).filter { $0.hasPrefix(plain) } : fitting
    }

    /// Returns whether a name is safe to complete. Bash inserts `$` and backquotes unescaped: with Return they would be run.
    private static func isSafe(_ name: String) -> Bool {
        TextWidth.printable(name) == name && !name.isEmpty && !name.hasPrefix("-") && !name.contains { $0 == "$" || $0 == "`" }
    }

    /// A shell passes the typed text with its quotes: `"Front d`, `Front\ d`.
    private static func unquoted(_ typed: String) -> String {
        var plain = ""
        var isEscaped = false
        for character in typed {
            if isEscaped || !["\\", "\"", "'"].contains(character) { plain.append(character) }
            isEscaped = !isEscaped && character == "\\"
        }
        return plain
    }
}

extension CompletionShell {
    /// A word quoted for this shell. Bash expands completions: unquoted, a device named `$(…)` would be run.
    fileprivate func quoted(_ word: String) -> String {
        switch self {
        case .bash: "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
        case .zsh: word.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: ":", with: "\\:")
        default: word
        }
    }
}

/// A time limit, because a shell that waits is worse than one without names.
private enum CompletionDeadline {
    static func exitProcess(after timeout: DispatchTimeInterval) {
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout) { _exit(0) }
    }
}
