import CardeaModel
import Foundation
import Synchronization

/// The rooms' thermal twins, each kept with the hour it was fitted in: readings are kept by the hour, so a twin is made anew with the next.
final class ThermalTwins: Sendable {
    private let kept = Mutex<[ThermalSources: (hour: Date, model: Result<ThermalTwin, ThermalProblem>)]>([:])

    /// More rooms than any house has.
    private static let most = 500

    /// The twin of these sources that was fitted in this hour; nil where none was.
    func known(of sources: ThermalSources, at now: Date) -> Result<ThermalTwin, ThermalProblem>? {
        kept.withLock { $0[sources] }.flatMap { $0.hour == HourShelf.hour(of: now) ? $0.model : nil }
    }

    /// The twin of these sources: the one of this hour, or a new one.
    func model(
        of sources: ThermalSources, at now: Date, fit: () -> Result<ThermalTwin, ThermalProblem>
    ) -> Result<ThermalTwin, ThermalProblem> {
        if let known = known(of: sources, at: now) { return known }
        let (model, hour) = (fit(), HourShelf.hour(of: now))
        kept.withLock { kept in
            if kept.count >= Self.most { kept = kept.filter { $0.value.hour == hour } }
            kept[sources] = (hour, model)
        }
        return model
    }
}
