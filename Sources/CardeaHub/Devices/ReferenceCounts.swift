import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Counts of what names a door or a device, or did until it was moved.
public struct ReferenceCounts: Hashable, Sendable {
    /// Passes that are not over.
    public var passes = 0
    public var buttons = 0
    /// Tags that press these buttons.
    public var tags = 0
    public var automations = 0
    public var scenes = 0
    /// API tokens that are bound to devices.
    public var apiTokens = 0
}
