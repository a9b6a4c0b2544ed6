import CardeaModel

/// A room, as Home Assistant has it.
struct AreaRegistryEntry: Hashable, Sendable {
    let id: String
    let name: String

    init?(_ json: JSONValue) {
        guard let id = json["area_id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        name = Name.cleaned(json["name"]?.string ?? id, else: "Room")
    }
}

/// A device of Home Assistant's device registry.
struct DeviceRegistryEntry: Hashable, Sendable {
    let id: String
    let name: String
    let areaID: String?
    /// The device through which it is reached, as Home Assistant calls that.
    let viaDeviceID: String?
    let manufacturer: String?
    let model: String?
    let isDisabled: Bool
    /// Announced to Home Assistant by the hub itself; importing it would make two locks of one.
    let isOwnExport: Bool

    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, !id.isEmpty, id.utf8.count <= 255 else { return nil }
        self.id = id
        name = json.name("name_by_user") ?? json.name("name") ?? "Device"
        areaID = json["area_id"]?.string
        viaDeviceID = json["via_device_id"]?.string
        manufacturer = json.name("manufacturer")
        model = json.name("model")
        isDisabled = (json["disabled_by"] ?? .null) != .null
        var identifiers: [JSONValue] = []
        if case .array(let all)? = json["identifiers"] { identifiers = all }
        isOwnExport = identifiers.contains { identifier in
            guard case .array(let parts) = identifier else { return false }
            return parts.contains { $0.string?.contains("cardea") == true }
        }
    }
}

/// An entity of Home Assistant's entity registry. Not every entity has an entry there.
struct EntityRegistryEntry: Hashable, Sendable {
    /// The attribute of a lock that says whether Home Assistant stores its code.
    static let keepsCode = "cardea.keeps_code"

    /// The prefix of the keys of origins.
    static let originPrefix = "unique:"

    let entityID: String
    /// Home Assistant's id of the entry, which stays when the entity is renamed.
    let id: String
    /// Domain, integration and unique id: they identify an entry that was deleted and created again.
    let origin: String?
    /// The unique id in its integration.
    let uniqueID: String?
    /// The drawing that a person chose for it.
    let icon: String?
    let deviceID: String?
    let areaID: String?
    /// The name that a person or the maker gave it.
    let name: String?
    let isExcluded: Bool
    /// Home Assistant stores a code for this lock and sends it itself.
    let keepsCode: Bool

    init?(_ json: JSONValue) {
        guard let entityID = json["entity_id"]?.string, StateReport.isEntityID(entityID) else { return nil }
        self.entityID = entityID
        uniqueID = json.identifier("unique_id")
        origin = uniqueID.map { "\(Self.originPrefix)\(Self.domain(of: entityID))/\(json.identifier("platform") ?? "")/\($0)" }
        id = json.identifier("id") ?? origin ?? entityID
        deviceID = json["device_id"]?.string
        areaID = json["area_id"]?.string
        name = json.name("name") ?? json.name("original_name")
        icon = Entity.validIcon(json["icon"]?.string)
        let isOurs = uniqueID?.hasPrefix("cardea_") ?? false
        isExcluded = isOurs || (json["disabled_by"] ?? .null) != .null || (json["hidden_by"] ?? .null) != .null
        keepsCode = json["options"]?["lock"]?["default_code"]?.string.map { !$0.isEmpty } ?? false
    }

    /// False for an entry of a Home Assistant that gives its entries no ids.
    var hasOwnID: Bool { id != origin && id != entityID }

    /// The first half of an entity id: `lock`.
    var domain: String { Self.domain(of: entityID) }

    private static func domain(of entityID: String) -> String { String(entityID.prefix { $0 != "." }) }
}

extension JSONValue {
    /// A member that is a name for people; nil if it is no text, or an empty one.
    fileprivate func name(_ key: String) -> String? {
        self[key]?.string.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A member that identifies something: a text, or a whole number as some integrations have it.
    fileprivate func identifier(_ key: String) -> String? {
        switch self[key] {
        case .string(let text)? where !text.isEmpty: String(text.prefix(256))
        case .number(let number)?: Int64(exactly: number).map { String($0) }
        default: nil
        }
    }
}
