import CardeaModel
import Foundation
import Synchronization

/// The rooms' thermal twins, each with the hour in which it was fitted. Readings are stored by the hour, so a twin is fitted again with
/// the next one.
final class ThermalTwinCache: Sendable {
    private let entries = Mutex<[ThermalSensors: (hour: Date, model: Result<ThermalTwin, ThermalTwinError>)]>([:])

    /// More rooms than any house has.
    private static let capacity = 500

    /// The twin of these sources that was fitted in this hour; nil if there is none.
    func cached(of sources: ThermalSensors, at now: Date) -> Result<ThermalTwin, ThermalTwinError>? {
        entries.withLock { $0[sources] }.flatMap { $0.hour == HourBuckets.hour(of: now) ? $0.model : nil }
    }

    /// The twin of these sources: the one of this hour, or a new one.
    func model(
        of sources: ThermalSensors, at now: Date, fit: () -> Result<ThermalTwin, ThermalTwinError>
    ) -> Result<ThermalTwin, ThermalTwinError> {
        if let known = cached(of: sources, at: now) { return known }
        let (model, hour) = (fit(), HourBuckets.hour(of: now))
        entries.withLock { stored in
            if stored.count >= Self.capacity { stored = stored.filter { $0.value.hour == hour } }
            stored[sources] = (hour, model)
        }
        return model
    }
}
