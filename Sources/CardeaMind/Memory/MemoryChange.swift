import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// A change to a memory. Fields that are nil stay as they are.
public struct MemoryChange: Sendable {
    public var type: Memory.Kind?
    public var category: String?
    public var importance: Double?
    public var title: String?
    public var content: String?
    public var tags: [String]?
    public var relatedDevices: [String]?
    public var isPinned: Bool?
    public var correction: Correction?

    public enum Correction: Sendable {
        case correct(HabitCorrection)
        /// The correction is withdrawn, and the habit is learned anew.
        case relearn
    }

    public init() {}

    var changesContent: Bool {
        type != nil || category != nil || importance != nil || title != nil || content != nil || tags != nil || relatedDevices != nil
            || isPinned != nil
    }
}
