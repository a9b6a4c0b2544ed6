import CardeaModel
import Foundation

/// One wish of a guest, in the words of their pass. Its key is made once, so that asking again, because the answer was lost or
/// because somebody in the house had to say yes first, spends no second use.
public struct GuestAction: Hashable, Sendable {
    public let action: String
    public let entityID: String?
    public let value: JSONValue?
    public let key: String

    public init(_ action: String, entityID: String? = nil, value: JSONValue? = nil, key: String = UUID().uuidString.lowercased()) {
        self.action = action
        self.entityID = entityID
        self.value = value
        self.key = key
    }
}
