import Foundation

/// Several things done at one touch, in order: "Good night".
public struct Scene: Hashable, Sendable {
    public let id: String
    public var name: String
    public var icon: String?
    public var actions: [DeviceAction]
    /// Rises with every change.
    public var version: Int
    public let createdAt: Date
    public var changedAt: Date

    public init(id: String, name: String, icon: String?, actions: [DeviceAction], version: Int, createdAt: Date, changedAt: Date) {
        self.id = id
        self.name = name
        self.icon = icon
        self.actions = actions
        self.version = version
        self.createdAt = createdAt
        self.changedAt = changedAt
    }
}

extension Array where Element == DeviceAction {
    /// The same without repeated actions, or nil if one device gets two different values.
    public var distinct: [DeviceAction]? {
        var result: [DeviceAction] = []
        for action in self {
            if let same = result.first(where: { $0.hasSameTarget(as: action) }) {
                guard same.value == action.value else { return nil }
            } else {
                result.append(action)
            }
        }
        return result
    }
}
