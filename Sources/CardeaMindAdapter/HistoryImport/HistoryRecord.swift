import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// The record that an imported line becomes.
enum HistoryRecord {
    case reading(Readings.ImportedReading)
    case event(ReportedHouseEvent)
    /// A non-numeric state of a sensor, which the house does not store.
    case ignored
}
