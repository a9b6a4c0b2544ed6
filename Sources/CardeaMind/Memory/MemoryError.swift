import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// The reason why a memory is not written, or not shown.
public enum MemoryError: Error, Sendable {
    case notFound
    case field(FieldError)
    /// The memory belongs to another person, and the requester does not look after the house.
    case notAllowed
    /// The memory is an event, which can be read but not changed.
    case readOnly
    /// The memory is a habit. It is changed by a correction, not by other text.
    case learned
    /// The correction is for another aspect of the habit, or not plausible.
    case correction(HabitCorrection.CorrectionError)
    /// The memory was changed meanwhile.
    case stale(VisibleMemory)
    case limitReached
    /// There is no device with this id among those that the requester may see.
    case noDevice(String)
}
