import CardeaModel
import Foundation
import Synchronization

/// The reason why an address cannot be the public one.
public enum PublicURLError: Error, Equatable {
    /// It is not http or https, or has no name.
    case notHTTPURL
    /// A path follows the name.
    case hasPath(name: String)
    /// It has a user, a query or a fragment.
    case extraComponents
}
