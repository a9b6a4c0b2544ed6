import Foundation

/// One thing to do at a touch: on a screen, or of a tag (Seed 002, "Action").
public struct Button: Hashable, Sendable {
    public let id: String
    /// The number by which links name it, 0 to 9999. It stays, and no later button gets it.
    public let index: Int
    public var title: String
    /// What it asks for. One that publishes asks its own device, which is only there for that.
    public var action: DeviceAction
    /// What it says to a broker; nil for one that asks a device of the house.
    public var publication: Publication?
    /// While it is off nothing presses it.
    public var isEnabled: Bool
    /// Whether tags and links press it; a screen does either way.
    public var answersTags: Bool
    /// Seconds in which a tap may be taken back on the screen before it is sent, 0 to 30.
    public var countdown: Int
    /// Rises with every change.
    public var version: Int
    /// Rises when it does something else. What a tag or a link was made for is known by it.
    public var actionVersion: Int
    public let createdAt: Date
    public var changedAt: Date

    public init(
        id: String, index: Int, title: String, action: DeviceAction, publication: Publication? = nil, isEnabled: Bool = true,
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
