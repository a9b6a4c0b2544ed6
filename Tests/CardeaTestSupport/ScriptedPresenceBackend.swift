import CardeaHub
import CardeaModel
import Foundation

/// An integration with persons, and scripted reports about them.
public struct ScriptedPresenceBackend: DeviceBackend {
    public let integration: String
    public let sources: AwaitableValue<[PresenceSource]>

    public init(_ sources: [PresenceSource] = [], integration: String = "persons") {
        self.integration = integration
        self.sources = AwaitableValue(sources)
    }

    public func presenceSources() async -> [PresenceSource] { sources.now }
    public func perform(_ backendCommand: BackendCommand) async -> DispatchResult { .refused(reason: "nothing here moves") }
    public func refresh(entityID: String) async {}
    public func health() async -> IntegrationHealth {
        IntegrationHealth(status: .connected, since: Date(timeIntervalSince1970: 1_800_000_000))
    }
}
