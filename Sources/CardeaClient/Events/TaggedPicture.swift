import CardeaAPI
import Foundation

/// A picture with the house's entity tag. Requested again by that tag, it is not sent again.
public struct TaggedPicture: Hashable, Sendable {
    public let jpeg: Data
    public let tag: String?

    public init(jpeg: Data, tag: String?) {
        self.jpeg = jpeg
        self.tag = tag
    }
}
