import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity
import CardeaSync
import Dispatch
import Foundation

/// Opens stored data for name completion.
struct CompletionSource: Sendable {
    private static let keyringTimeout: Duration = .milliseconds(150)
    private let configurationFolder = ConfigurationFolder()

    /// Nil if nothing was kept.
    func replica() async throws -> Replica? {
        let file = try configurationFolder.credentialStore { _ in }.readWithoutSecrets()
        guard let hub = file.hub, let username = file.username else { return nil }
        let place = ReplicaFile(folder: configurationFolder.folder).url(hub, username)
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        let store = await SecretStoreSelection.best(folder: configurationFolder.folder, timeout: Self.keyringTimeout)
        guard let key = try await ReplicaKey(folder: configurationFolder.folder, store: store).existing() else { return nil }
        return try Replica(
            file: place, sealing: key, client: CardeaClient(hub: hub, transport: UnavailableTransport(), sessions: MemorySessionStore()))
    }

    func names(of kind: ReplicaDocumentKind) async throws -> [CompletionCandidate] {
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
