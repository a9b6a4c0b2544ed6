import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// Why a memory is not written, or not shown.
public enum MemoryError: Error, Sendable {
    case notFound
    case field(FieldError)
    /// It is another's, and whoever asks does not look after the house.
    case notAllowed
    /// It is what happened: that can be looked up and not be changed.
    case readOnly
    /// It was learned: what is said of it is a correction, not other words.
    case learned
    /// A correction that is not about this side of the habit.
    case correction(HabitCorrection.CorrectionError)
    /// Somebody else changed it meanwhile.
    case stale(VisibleMemory)
    case limitReached
    /// There is no device of this id among those that they may see.
    case noDevice(String)
}
