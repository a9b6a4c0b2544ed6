import CardeaModel

/// A room, as Home Assistant has it.
struct Area: Hashable, Sendable {
    let id: String
    let name: String

    init?(_ json: JSONValue) {
        guard let id = json["area_id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        name = Name.cleaned(json["name"]?.string ?? id, else: "Room")
    }
}

/// A device of Home Assistant's device registry.
struct RegisteredDevice: Hashable, Sendable {
    let id: String
    let name: String
    let areaID: String?
    /// The device through which it is reached, as Home Assistant calls that.
    let viaID: String?
    let manufacturer: String?
    let model: String?
    let isDisabled: Bool
    /// Announced to Home Assistant by the hub itself; taken in again, one lock would be two.
    let isOurs: Bool

    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, !id.isEmpty, id.utf8.count <= 255 else { return nil }
        self.id = id
        name = Name.cleaned(json["name_by_user"]?.string ?? json["name"]?.string ?? "", else: "Device")
        areaID = json["area_id"]?.string
        viaID = json["via_device_id"]?.string
        manufacturer = json["manufacturer"]?.string.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
        model = json["model"]?.string.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
        isDisabled = (json["disabled_by"] ?? .null) != .null
        var identifiers: [JSONValue] = []
        if case .array(let all)? = json["identifiers"] { identifiers = all }
        isOurs = identifiers.contains { identifier in
            guard case .array(let parts) = identifier else { return false }
            return parts.contains { $0.string?.contains("cardea") == true }
        }
    }
}

/// An entity of Home Assistant's entity registry. Not every entity has an entry there.
struct RegisteredEntity: Hashable, Sendable {
    /// Where a lock's attributes say that Home Assistant keeps its code.
    static let keepsCode = "cardea.keeps_code"

    let entityID: String
    /// Home Assistant's own name for the entry, which stays when the entity is called otherwise.
    let id: String
    /// What its integration there knows it by.
    let uniqueID: String?
    /// The drawing that a person chose for it.
    let icon: String?
    let deviceID: String?
    let areaID: String?
    /// What a person called it, or its maker.
    let name: String?
    let isLeftOut: Bool
    /// Home Assistant keeps a code for this lock and sends it by itself.
    let keepsCode: Bool

    init?(_ json: JSONValue) {
        guard let entityID = json["entity_id"]?.string else { return nil }
        self.entityID = entityID
        id = json["id"]?.string ?? entityID
        deviceID = json["device_id"]?.string
        areaID = json["area_id"]?.string
        name = (json["name"]?.string ?? json["original_name"]?.string).map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
        uniqueID = json["unique_id"]?.string.map { String($0.prefix(256)) }
        icon = Entity.icon(json["icon"]?.string)
        let isOurs = uniqueID?.hasPrefix("cardea_") ?? false
        isLeftOut = isOurs || (json["disabled_by"] ?? .null) != .null || (json["hidden_by"] ?? .null) != .null
        keepsCode = json["options"]?["lock"]?["default_code"]?.string.map { !$0.isEmpty } ?? false
    }
}
