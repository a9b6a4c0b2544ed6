import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Counts of the references to a door or a device, or of those that were moved.
public struct ReferenceCounts: Hashable, Sendable {
    /// Passes that have not ended.
    public var passes = 0
    public var buttons = 0
    /// Tags that press these buttons.
    public var tags = 0
    public var automations = 0
    public var scenes = 0
    /// API tokens that are bound to devices.
    public var apiTokens = 0
}
