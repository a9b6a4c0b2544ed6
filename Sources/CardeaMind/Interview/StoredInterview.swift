import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// An interview as it is stored.
public struct StoredInterview: Sendable {
    public var interview: Interview
    /// Increases with every change.
    public var version: Int
}
