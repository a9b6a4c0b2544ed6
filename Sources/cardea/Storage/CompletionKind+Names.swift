import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity
import CardeaSync
import Dispatch
import Foundation

/// What people call the things of the house, as it was kept here, for a shell that completes them. Nothing is asked of the house, nobody is
/// asked for a password, nothing is made, and where there is trouble there are no names.
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

/// What one thing is called.
struct CompletionCandidate: Hashable, Sendable {
    let name: String
    let id: String

    init(_ name: String, id: String) {
        self.name = name
        self.id = id
    }

    /// What may be meant by the beginning somebody typed: names, and where none begins like that, ids. A name that several have, or that
    /// could not be typed, is no help; then its id is.
    static func matches(_ known: [CompletionCandidate], typed: String) -> [String] {
        let counts = Dictionary(known.map { ($0.name, 1) }, uniquingKeysWith: +)
        let names = known.map { counts[$0.name] == 1 && isSafe($0.name) ? $0.name : $0.id }
        let plain = unquoted(typed)
        let fitting = names.filter { $0.hasPrefix(plain) }
        return fitting.isEmpty ? known.map(\.id).filter { $0.hasPrefix(plain) } : fitting
    }

    /// Whether a name is one word that stands for itself. Bash puts `$` and backquotes onto the line as they are: with Return they would be run.
    private static func isSafe(_ name: String) -> Bool {
        TextWidth.printable(name) == name && !name.isEmpty && !name.hasPrefix("-") && !name.contains { $0 == "$" || $0 == "`" }
    }

    /// A shell hands over what was typed as it was: `"Front d`, `Front\ d`.
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
    /// A word as this shell takes it for nothing but a word. Bash expands what it is given: unquoted, a thing called `$(…)` would be run.
    fileprivate func quoted(_ word: String) -> String {
        switch self {
        case .bash: "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
        case .zsh: word.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: ":", with: "\\:")
        default: word
        }
    }
}

/// What was kept, for whoever only wants to know what things are called.
private struct CompletionSource: Sendable {
    private static let keyringTimeout: Duration = .milliseconds(150)
    private let configurationFolder = ConfigurationFolder()

    /// Nil where nothing was kept.
    func replica() async throws -> Replica? {
        let file = try configurationFolder.credentialStore { _ in }.readWithoutSecrets()
        guard let hub = file.hub, let username = file.username else { return nil }
        let place = ReplicaFile(folder: configurationFolder.folder).url(hub, username)
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        let store = await SecretStoreSelection.best(folder: configurationFolder.folder, patience: Self.keyringTimeout)
        guard let key = try await ReplicaKey(folder: configurationFolder.folder, store: store).existing() else { return nil }
        return try Replica(
            file: place, sealing: key, client: CardeaClient(hub: hub, transport: UnavailableTransport(), sessions: MemorySessionStore()))
    }

    func names(of kind: DocumentKind) async throws -> [CompletionCandidate] {
        try await replica()?.names(of: kind).map { CompletionCandidate($0.name, id: $0.id) } ?? []
    }

    /// As the house listed them last.
    func cameras() async throws -> [CompletionCandidate] {
        try await replica()?.answer(.cameras).value.cameras.map { CompletionCandidate($0.name, id: $0.cameraID) } ?? []
    }

    func buttons() async throws -> [CompletionCandidate] {
        try await replica()?.answer(.buttons).value.buttons.map { CompletionCandidate($0.title, id: $0.buttonID) } ?? []
    }

    func tags() async throws -> [CompletionCandidate] {
        try await replica()?.answer(.tags).value.tags.map { CompletionCandidate($0.label ?? $0.tagID, id: $0.tagID) } ?? []
    }

    /// One's own, or those of one's passes.
    func doors() async throws -> [CompletionCandidate] {
        let doors = Door.all(in: try await replica()?.devices(with: Door.kinds) ?? []).map {
            CompletionCandidate($0.name, id: $0.device.deviceID)
        }
        guard doors.isEmpty else { return doors }
        var tokens = configurationFolder.credentialStore { _ in }
        tokens.keyringTimeout = Self.keyringTimeout
        guard try tokens.readWithoutSecrets().secrets != nil else { return [] }
        let passes = try await tokens.read().passes
        return Set(passes.flatMap { $0.pass.entities.map { CompletionCandidate($0.name, id: $0.deviceID) } }).sorted { $0.name < $1.name }
    }
}

/// Leads to no house.
private struct UnavailableTransport: Transport {
    func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream { throw .noConnection }
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse { throw .noConnection }
}

/// A shell that waits is worse than one that knows no names.
private enum CompletionDeadline {
    static func exitProcess(after patience: DispatchTimeInterval) {
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { _exit(0) }
    }
}
