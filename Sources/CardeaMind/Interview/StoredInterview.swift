import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// One as it is kept.
public struct StoredInterview: Sendable {
    public var interview: Interview
    /// Rises with every change.
    public var version: Int
}
