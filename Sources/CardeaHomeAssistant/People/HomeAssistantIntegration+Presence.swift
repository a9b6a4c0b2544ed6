import CardeaHub
import CardeaModel
import Logging

extension HomeAssistantIntegration {
    public func presenceSources() async -> [PresenceSource] { presences.sources(among: household.entities) }

    /// Tells the house where people are, by the entities that they linked and by no others.
    func tellPresences() async {
        guard let presenceDesk else { return }
        do {
            let linked = try await presenceDesk.linkedSources(of: Self.name)
            let sources = presences.sources(among: household.entities).filter { linked.contains($0.key) }
            let reports = sources.compactMap { source in source.presence.map { (source.key, $0) } }
            guard !reports.isEmpty else { return }
            try await presenceDesk.report(Dictionary(reports, uniquingKeysWith: { first, _ in first }), of: Self.name)
        } catch {
            lostReports += 1
            logger.error("The house did not take who is home", metadata: ["error": "\(type(of: error))"])
        }
    }
}
