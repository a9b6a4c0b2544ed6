import CardeaModel
import Foundation

/// One action of a guest, named as in their pass. Its key is made once, so that sending it again, after a lost answer or an approval,
/// spends no second use.
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
