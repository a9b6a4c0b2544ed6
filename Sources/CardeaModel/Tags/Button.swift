import Foundation

/// One thing to do at a touch: on a screen, or of a tag (Seed 002, "Action").
public struct Button: Hashable, Sendable {
    public let id: String
    /// The number by which links name it, 0 to 9999. It never changes, and no later button gets it.
    public let index: Int
    public var title: String
    /// The action that it requests. A button that publishes requests it of its own device, which exists only for that.
    public var action: DeviceAction
    /// The message that it publishes to a broker; nil for a button that controls a device of the house.
    public var publication: ButtonPublication?
    /// True if it can be pressed.
    public var isEnabled: Bool
    /// True if tags and links press it; a screen can press it either way.
    public var answersTags: Bool
    /// Seconds in which a tap can be cancelled on the screen before it is sent, 0 to 30.
    public var countdown: Int
    /// Rises with every change.
    public var version: Int
    /// Rises when the action changes. Tags and links carry the version that they were made for.
    public var actionVersion: Int
    public let createdAt: Date
    public var changedAt: Date

    public init(
        id: String, index: Int, title: String, action: DeviceAction, publication: ButtonPublication? = nil, isEnabled: Bool = true,
        answersTags: Bool = true, countdown: Int = 0, version: Int = 1, actionVersion: Int = 1, createdAt: Date, changedAt: Date
    ) {
        self.id = id
        self.index = index
        self.title = title
        self.action = action
        self.publication = publication
        self.isEnabled = isEnabled
        self.answersTags = answersTags
        self.countdown = countdown
        self.version = version
        self.actionVersion = actionVersion
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    /// The entity of the device that a publishing button is.
    public static func entityID(of id: String) -> String { "button.\(id)" }

    public static let indices = 0...9999
    public static let countdowns = 0...30
}
