import CardeaModel
import Foundation

/// `POST /api/v1/buttons` and `PUT /api/v1/buttons/{id}`
public struct ButtonBody: Wire.Body, Encodable, Sendable {
    public var title: String
    public var action: DeviceActionBody
    /// False: nothing presses it. True where it is left out.
    public var enabled: Bool?
    /// Whether tags and links press it. True where it is left out.
    public var tagsEnabled: Bool?
    /// Seconds in which a tap may be taken back, 0 to 30. 0 where it is left out.
    public var countdown: Int?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case title, action, enabled, countdown
        case tagsEnabled = "tags_enabled"
    }

    public init(title: String, action: DeviceActionBody, enabled: Bool? = nil, tagsEnabled: Bool? = nil, countdown: Int? = nil) {
        self.title = title
        self.action = action
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
    public let action: DeviceActionBody
    public let enabled: Bool
    public let tagsEnabled: Bool
    public let countdown: Int
    public let version: Int
    public let createdAt: Date
    public let changedAt: Date

    enum CodingKeys: String, CodingKey {
        case title, action, enabled, countdown, version
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
