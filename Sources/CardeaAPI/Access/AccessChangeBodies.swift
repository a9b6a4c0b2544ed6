import CardeaModel
import Foundation

/// A resource that a person set up and that can open a door, or that can be used to listen.
public struct AccessChangeAnswer: Codable, Sendable {
    public let thing: AccessResourceKind
    /// With `thing`, by what it is switched.
    public let id: String
    public let name: String
    public let changedAt: Date
    public let isOn: Bool
    /// True if it can be switched on again; false if it is gone once it is off.
    public let isKeptOff: Bool

    enum CodingKeys: String, CodingKey {
        case thing, id, name
        case changedAt = "changed_at"
        case isOn = "is_on"
        case isKeptOff = "is_kept_off"
    }

    public init(_ change: AccessChange) {
        thing = change.kind
        id = change.id
        name = change.name
        changedAt = change.changedAt
        isOn = change.isOn
        isKeptOff = change.kind.canBeReenabled
    }
}

/// `GET /api/v1/people/{id}/access-changes`
public struct AccessChangesAnswer: Codable, Sendable {
    /// Days that it looks back.
    public let days: Int
    public let changes: [AccessChangeAnswer]

    public init(days: Int, changes: [AccessChangeAnswer]) {
        self.days = days
        self.changes = changes
    }
}

/// `PUT /api/v1/access-changes/{thing}/{id}`
public struct TurnAccessBody: WireFormat.Body, Encodable, Sendable {
    public var isOn: Bool

    public enum CodingKeys: String, CodingKey, CaseIterable { case isOn = "is_on" }

    public init(isOn: Bool) { self.isOn = isOn }
}

extension AccessChangesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "days": .integer().about("Number of days to look back"),
        "changes": .list(
            of: .answer([
                "thing": .enumeration(AccessResourceKind.self), "id": .id, "name": .text(), "changed_at": .time, "is_on": .boolean,
                "is_kept_off": .boolean.about("True if it can be switched on again; everything else is deleted when switched off"),
            ])),
    ])
}

extension TurnAccessBody: SchemaRepresentable {
    public static let schema = Schema.body(["is_on": .boolean])
    public static let example: JSONValue? = ["is_on": false]
}
