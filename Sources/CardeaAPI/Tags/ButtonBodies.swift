import CardeaModel
import Foundation

/// `POST /api/v1/buttons` and `PUT /api/v1/buttons/{id}`
public struct ButtonBody: WireFormat.Body, Encodable, Sendable {
    public var title: String
    /// The command to a device of the house. Either this or `publish`.
    public var action: DeviceActionBody?
    /// The message to a broker.
    public var publish: PublishBody?
    /// False: nothing presses it. True if omitted.
    public var enabled: Bool?
    /// True if tags and links may press it. True if omitted.
    public var tagsEnabled: Bool?
    /// Seconds in which a tap may be taken back, 0 to 30. 0 if omitted.
    public var countdown: Int?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case title, action, publish, enabled, countdown
        case tagsEnabled = "tags_enabled"
    }

    public init(
        title: String, action: DeviceActionBody? = nil, publish: PublishBody? = nil, enabled: Bool? = nil, tagsEnabled: Bool? = nil,
        countdown: Int? = nil
    ) {
        self.title = title
        self.action = action
        self.publish = publish
        self.enabled = enabled
        self.tagsEnabled = tagsEnabled
        self.countdown = countdown
    }
}

/// A button as the wire shows it.
public struct ButtonAnswer: Codable, Sendable {
    public let buttonID: String
    /// Its fixed number, by which live links name it.
    public let index: Int
    public let title: String
    /// The command. A button that publishes sends it to the button's own device.
    public let action: DeviceActionBody
    /// The message to a broker; nil for a button that commands a device of the house.
    @Nullable public private(set) var publish: PublishAnswer?
    public let enabled: Bool
    public let tagsEnabled: Bool
    public let countdown: Int
    public let version: Int
    public let createdAt: Date
    public let changedAt: Date

    enum CodingKeys: String, CodingKey {
        case title, action, publish, enabled, countdown, version
        case buttonID = "button_id"
        case index = "idx"
        case tagsEnabled = "tags_enabled"
        case createdAt = "created_at"
        case changedAt = "changed_at"
    }

    public init(_ button: Button) {
        buttonID = button.id
        index = button.index
        title = button.title
        action = DeviceActionBody(button.action)
        publish = button.publication.map(PublishAnswer.init)
        enabled = button.isEnabled
        tagsEnabled = button.answersTags
        countdown = button.countdown
        version = button.version
        createdAt = button.createdAt
        changedAt = button.changedAt
    }
}

public struct ButtonsAnswer: Codable, Sendable {
    public let buttons: [ButtonAnswer]
    public let total: Int

    public init(buttons: [ButtonAnswer]) {
        self.buttons = buttons
        total = buttons.count
    }
}
