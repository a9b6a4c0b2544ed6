import CardeaHub
import CardeaModel
import Logging

extension HomeAssistantIntegration {
    public func presenceSources() async -> [PresenceSource] { presenceTracker.sources(among: mirror.entities) }

    /// Reports where people are, only by the entities that they linked.
    func reportPresences() async {
        guard let presenceSink else { return }
        do {
            let linked = try await presenceSink.linkedSources(of: Self.name)
            let sources = presenceTracker.sources(among: mirror.entities).filter { linked.contains($0.key) }
            let reports = sources.compactMap { source in source.presence.map { (source.key, $0) } }
            guard !reports.isEmpty else { return }
            try await presenceSink.report(Dictionary(reports, uniquingKeysWith: { first, _ in first }), of: Self.name)
        } catch {
            lostReports += 1
            logger.error("presence could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }
}
