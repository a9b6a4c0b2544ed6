import CardeaModel

/// Home Assistant's MQTT discovery: bytes in, entities or an error out. Pure, and written for untrusted bytes.
enum DiscoveryParser {
    enum DiscoveryError: Error, Hashable, Sendable {
        case notJSON
        case notAnObject
        /// A bundle without components or without a device.
        case emptyBundle

        var message: String {
            switch self {
            case .notJSON: "is not JSON"
            case .notAnObject: "is not a JSON object"
            case .emptyBundle: "has no device or no components"
            }
        }
    }

    /// Reads one announcement: its entities, and the parts that give none. What a hub announced gives neither.
    static func read(_ payload: [UInt8], at topic: DiscoveryTopic) throws(DiscoveryError) -> Announcement {
        guard let json = JSONValue.read(payload) else { throw .notJSON }
        guard case .object(let members) = json else { throw .notAnObject }
        let root = Abbreviations.expand(members)
        var read = Announcement()
        guard !isOurs(root) else { return read }
        read.isMigrating = root["migrate_discovery"] == true
        if read.isMigrating { return read }
        read.device = deviceName(root)
        guard topic.component == "device" else {
            if let kind = kind(topic.component), isShown(topic.component, root) {
                read.add(entity(kind, topic.component, root, place: topic.text, object: topic.object))
            } else {
                read.omit(topic.component, UnsupportedPlatforms.reason(topic.component))
            }
            return read
        }
        guard case .object(let components)? = root["components"], case .object? = root["device"], !components.isEmpty else {
            throw .emptyBundle
        }
        // In a fixed order, because the first of two with one name gets the shorter id.
        for (id, component) in components.sorted(by: { $0.key < $1.key }) { add(component, named: id, of: root, at: topic, to: &read) }
        return read
    }

    /// Returns true for a component whose announcements can give entities.
    static func supports(_ component: String) -> Bool { component == "device" || kind(component) != nil }

    /// Reads one component of a bundle.
    private static func add(
        _ component: JSONValue, named id: String, of root: [String: JSONValue], at topic: DiscoveryTopic, to read: inout Announcement
    ) {
        guard case .object(let own) = component else {
            return read.omit(topic.component, "The component \(PayloadText.quoted(id)) is not a JSON object.")
        }
        var merged = Abbreviations.expand(own)
        guard let platform = merged["platform"]?.string else {
            return read.omit(topic.component, "The component \(PayloadText.quoted(id)) has no platform.")
        }
        // A component with only its platform is removed.
        guard merged.count > 1, !isOurs(merged) else { return }
        guard let kind = kind(platform), isShown(platform, merged) else {
            return read.omit(platform, UnsupportedPlatforms.reason(platform))
        }
        for key in shared where merged[key] == nil { merged[key] = root[key] }
        read.add(entity(kind, platform, merged, place: "\(topic.text)#\(id)", object: id))
    }

    /// Of device automations only triggers are shown, as there are no others.
    private static func isShown(_ platform: String, _ members: [String: JSONValue]) -> Bool {
        guard platform == "device_automation" else { return true }
        return members["automation_type"]?.string == "trigger" && ["topic", "type", "subtype"].allSatisfy { members[$0]?.string != nil }
    }

    /// The name that the announcement gives its device, or else the entity's own.
    private static func deviceName(_ root: [String: JSONValue]) -> String? {
        let device = AnnouncementFields(Abbreviations.expandDevice(AnnouncementFields(root).object("device") ?? [:]))
        return (device.text("name") ?? AnnouncementFields(root).text("name")).flatMap { Name.cleaned($0, else: "").nilIfEmpty }
    }

    /// Returns whether a hub announced it: importing it would make two locks of one, each following the other.
    private static func isOurs(_ members: [String: JSONValue]) -> Bool {
        members["unique_id"]?.string?.hasPrefix(DiscoveryEncoder.idPrefix) == true
    }

    /// The fields that the components of a bundle inherit.
    private static let shared = [
        "~", "device", "availability", "availability_mode", "availability_topic", "availability_template", "payload_available",
        "payload_not_available", "state_topic", "command_topic", "encoding", "qos",
    ]

    private static func kind(_ platform: String) -> EntityKind? {
        switch platform {
        case "media", "media_player": nil
        case "camera": .image
        case "device_automation": .event
        default: EntityKind(rawValue: platform)
        }
    }

    private static func entity(
        _ kind: EntityKind, _ component: String, _ members: [String: JSONValue], place: String, object: String
    ) -> AnnouncedEntity {
        let members = expandBaseTopic(members)
        var fields = AnnouncementFields(members)
        let wiring = mapping(kind, &fields)
        let availability = availability(&fields)
        let uniqueID = fields.text("unique_id").map { String($0.prefix(256)) }
        let key = uniqueID.map { "\(kind.rawValue):\($0)" } ?? "\(kind.rawValue)@\(place)"
        let deviceClass = fields.text("device_class").flatMap { Slug.make($0, separator: "_") }
        let own = fields.text("name").flatMap { Name.cleaned($0, else: "").nilIfEmpty }
        let device = device(fields.object("device"), key: uniqueID.flatMap(\.nilIfEmpty) ?? place, name: own ?? object)
        // A sensor without a name is named after its measurement; everything else after its device.
        let isSensor = kind == .sensor || kind == .binarySensor
        let name = own ?? wiring.impliedName ?? (isSensor && !fields.isNull("name") ? deviceClass.map(displayName) : nil)
        return AnnouncedEntity(
            key: key, uniqueID: uniqueID, kind: kind, component: component, name: fields.has("device") ? name : nil,
            deviceClass: deviceClass, unit: (wiring as? SensorMapping)?.unit, icon: Entity.validIcon(fields.text("icon")),
            category: fields.text("entity_category").flatMap(EntityCategory.init), isEnabled: fields.flag("enabled_by_default") ?? true,
            availability: availability, expiresAfter: fields.number("expire_after").flatMap { $0 > 0 ? $0 : nil }, mapping: wiring,
            commandFields: CommandFieldTable.commandFields(of: kind, members, topics: wiring.commandTopics),
            notice: fields.notices.isEmpty ? nil : fields.notices.joined(separator: " "), device: device)
    }

    /// `carbon_dioxide` in words.
    private static func displayName(_ deviceClass: String) -> String {
        deviceClass.split(separator: "_").joined(separator: " ")
    }

    private static func mapping(_ kind: EntityKind, _ fields: inout AnnouncementFields) -> any EntityMapping {
        switch kind {
        case .lock: return LockMapping(&fields)
        case .cover: return CoverMapping(&fields)
        case .valve: return ValveMapping(&fields)
        case .switch: return SwitchMapping(&fields)
        case .fan: return FanMapping(&fields)
        case .climate: return ClimateMapping(&fields)
        case .sensor: return SensorMapping(&fields)
        case .binarySensor: return BinarySensorMapping(&fields)
        case .button: return ButtonMapping(&fields)
        case .alarm: return AlarmMapping(&fields)
        case .image: return ImageMapping(&fields)
        case .event: return fields.has("automation_type") ? DeviceTriggerMapping(&fields) : EventMapping(&fields)
        case .light:
            switch fields.text("schema", else: "default").lowercased() {
            case "json": return JSONLightMapping(&fields)
            case "template": return TemplateLightMapping(&fields)
            case "default", "basic": return LightMapping(&fields)
            default:
                fields.addNotice(
                    "A light of schema \(PayloadText.quoted(fields.text("schema", else: ""))) is not understood: "
                        + "set schema to “default”, “json” or “template” on the device.")
                return EmptyMapping()
            }
        case .media: return EmptyMapping()
        }
    }

    /// The most availability topics of an entity.
    private static let availabilityLimit = 64

    private static func availability(_ fields: inout AnnouncementFields) -> Availability {
        var sources: [Availability.Source] = []
        if fields.has("availability_topic") {
            guard let reading = fields.stateTopic("availability_topic", "availability_template") else { return .unreadable }
            sources = [
                .init(
                    stateTopic: reading, available: fields.text("payload_available", else: "online"),
                    notAvailable: fields.text("payload_not_available", else: "offline"))
            ]
        }
        let entries = fields.objects("availability")
        guard entries.count <= availabilityLimit else {
            fields.addNotice("This entity has more than \(availabilityLimit) availability topics, so it is treated as unreachable.")
            return .unreadable
        }
        for entry in entries {
            var one = AnnouncementFields(Abbreviations.expand(entry))
            let reading = one.stateTopic("topic", "value_template")
            for notice in one.notices { fields.addNotice(notice) }
            guard let reading else { return .unreadable }
            // Of two sources with one topic, the last counts.
            sources.removeAll { $0.stateTopic.topic == reading.topic }
            sources.append(
                .init(
                    stateTopic: reading, available: one.text("payload_available", else: "online"),
                    notAvailable: one.text("payload_not_available", else: "offline")))
        }
        return Availability(sources: sources, mode: .init(rawValue: fields.text("availability_mode", else: "latest")) ?? .latest)
    }

    /// The names of a device: its identifiers, which are one or a list, and its connections, which are pairs of a kind and a value.
    private static func deviceIdentifiers(_ fields: AnnouncementFields) -> [DeviceIdentifier] {
        func plain(_ value: JSONValue) -> String? { value == .null ? nil : PayloadText.write(value) }
        let identifiers = fields.list("identifiers").map(plain) + [fields.text("identifiers")]
        var names = identifiers.compactMap { $0.flatMap(DeviceIdentifier.identifier) }
        for case .array(let pair) in fields.list("connections") where pair.count > 1 {
            let parts = pair.compactMap(plain)
            guard parts.count == pair.count, let kind = parts.first else { continue }
            names += [DeviceIdentifier.connection(kind, parts.dropFirst().joined(separator: ":"))].compactMap(\.self)
        }
        return names
    }

    private static func device(_ members: [String: JSONValue]?, key: String, name: String) -> AnnouncedDevice {
        let fields = AnnouncementFields(Abbreviations.expandDevice(members ?? [:]))
        var names = deviceIdentifiers(fields)
        if names.isEmpty { names = [DeviceIdentifier.identifier(key)].compactMap(\.self) }
        func clean(_ key: String) -> String? { fields.text(key).flatMap { Name.cleaned($0, else: "").nilIfEmpty } }
        return AnnouncedDevice(
            names: Array(names.prefix(AnnouncedDevice.nameLimit)), name: clean("name") ?? Name.cleaned(name, else: "Device"),
            isNamed: clean("name") != nil,
            manufacturer: clean("manufacturer"), model: clean("model"), suggestedArea: clean("suggested_area"),
            softwareVersion: clean("sw_version"), viaDevice: fields.text("via_device").map { String($0.prefix(256)) })
    }

    /// Puts the base topic in the place of `~`, at the beginning or the end of every topic.
    static func expandBaseTopic(_ members: [String: JSONValue]) -> [String: JSONValue] {
        guard let base = members["~"]?.string, base.utf8.count <= TopicRules.limit else { return members }
        func whole(_ value: JSONValue?) -> JSONValue? {
            guard let topic = value?.string else { return value }
            if topic.hasPrefix("~") { return .string(base + topic.dropFirst()) }
            if topic.hasSuffix("~") { return .string(topic.dropLast() + base) }
            return value
        }
        var result = members
        for (key, value) in members where key.hasSuffix("topic") { result[key] = whole(value) }
        func wholeEntry(_ entry: JSONValue) -> JSONValue {
            guard case .object(var source) = entry else { return entry }
            for key in ["topic", "t"] where source[key] != nil { source[key] = whole(source[key]) }
            return .object(source)
        }
        switch members["availability"] {
        case .array(let entries)?: result["availability"] = .array(entries.map(wholeEntry))
        case .object(let entry)?: result["availability"] = wholeEntry(.object(entry))
        default: break
        }
        return result
    }
}

extension String {
    fileprivate var nilIfEmpty: String? { isEmpty ? nil : self }
}
