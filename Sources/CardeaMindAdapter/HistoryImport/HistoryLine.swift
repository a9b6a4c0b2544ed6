import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation

/// One line of imported history: `{"timestamp", "device_id" or "person_id", "kind", "value"}`.
///
/// `kind` is `state` (of a device), `command` (`value` is the action), `status` (`online`, `offline`), `presence` (`home` or `away`, of a
/// person), `event` (a sighting by a camera or doorbell, in words), or a sensor's metric (`temperature`, `power`, …; or `reading`), with
/// a number. A number may have a `unit`, and is then converted to the unit in which the house stores it.
struct HistoryLine: Decodable {
    let timestamp: Date
    let deviceID: String?
    let entityID: String?
    let personID: String?
    let kind: String
    let value: JSONValue
    /// The unit of the number; nil for the house's own unit.
    let unit: String?

    enum CodingKeys: String, CodingKey {
        case timestamp, kind, value, unit
        case deviceID = "device_id"
        case entityID = "entity_id"
        case personID = "person_id"
    }

    init(
        timestamp: Date, deviceID: String? = nil, entityID: String? = nil, personID: String? = nil, kind: String, value: JSONValue,
        unit: String? = nil
    ) {
        self.timestamp = timestamp
        self.deviceID = deviceID
        self.entityID = entityID
        self.personID = personID
        self.kind = kind
        self.value = value
        self.unit = unit
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let text = try fields.decode(String.self, forKey: .timestamp)
        guard let timestamp = Timestamp.date(text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .timestamp, in: fields, debugDescription: "is no moment such as 2026-11-20T19:04:00Z")
        }
        self.timestamp = timestamp
        deviceID = try fields.decodeIfPresent(String.self, forKey: .deviceID)
        entityID = try fields.decodeIfPresent(String.self, forKey: .entityID)
        personID = try fields.decodeIfPresent(String.self, forKey: .personID)
        kind = try fields.decode(String.self, forKey: .kind)
        value = try fields.decode(JSONValue.self, forKey: .value)
        unit = try fields.decodeIfPresent(String.self, forKey: .unit)
    }
}
