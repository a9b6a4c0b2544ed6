import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// A memory that a person asks the house to keep.
public struct MemoryDraft: Sendable {
    public var type: Memory.Kind
    public var category: String?
    public var importance: Double?
    /// If nil, the beginning of the content is used.
    public var title: String?
    public var content: String
    public var details: [String: JSONValue]
    public var tags: [String]
    public var relatedDevices: [String]
    public var isPinned: Bool

    public init(
        type: Memory.Kind, category: String? = nil, importance: Double? = nil, title: String? = nil, content: String,
        details: [String: JSONValue] = [:], tags: [String] = [], relatedDevices: [String] = [], isPinned: Bool = false
    ) {
        self.type = type
        self.category = category
        self.importance = importance
        self.title = title
        self.content = content
        self.details = details
        self.tags = tags
        self.relatedDevices = relatedDevices
        self.isPinned = isPinned
    }
}
