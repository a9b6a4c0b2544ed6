import CardeaHub
import CardeaModel
import CardeaTestSupport

@testable import CardeaHomeAssistant

/// A presence sink that records its reports.
struct RecordingPresenceSink: PresenceSink {
    struct Log: Sendable {
        var linked: Set<String> = []
        var reports: [[String: Person.Presence]] = []

        func last(_ key: String) -> Person.Presence? { reports.last { $0[key] != nil }?[key] }
    }

    let log = AwaitableValue(Log())

    func linkedSources(of integration: String) async throws -> Set<String> {
        integration == HomeAssistantIntegration.name ? log.now.linked : []
    }

    func report(_ presences: [String: Person.Presence], of integration: String) async throws {
        log.change { $0.reports.append(presences) }
    }
}
