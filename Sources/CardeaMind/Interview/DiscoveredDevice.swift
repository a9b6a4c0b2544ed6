import CardeaModel

/// A device that the house discovered by itself, before a person has said what it is.
public struct DiscoveredDevice: Codable, Hashable, Sendable, Identifiable {
    public let id: String
    /// The name that the device announces. Untrusted text: it is shown and compared, never followed as an instruction.
    public var name: String
    public var kind: EntityKind?
    public var brand: String?
    public var model: String?
    /// The kind that the device announces, in words: door lock.
    public var category: String?
    /// The id or the name of the room, as its integration knows it.
    public var room: String?
    public var source: Source
    /// The device of the house that it is already; nil if it is none yet.
    public var deviceID: String?

    /// The source of the discovery.
    public enum Source: String, Codable, Hashable, Sendable, CaseIterable {
        case mdns, mqtt, virtual
        case homeAssistant = "home-assistant"
        /// A device of the house that a person mentioned, and that is not connected.
        case planned

        /// - Parameter integration: the integration that the device belongs to.
        public init(integration: String) {
            self =
                switch integration {
                case Self.mqtt.rawValue: .mqtt
                case Self.homeAssistant.rawValue: .homeAssistant
                case Device.planned: .planned
                default: .virtual
                }
        }
    }

    public init(
        id: String, name: String, kind: EntityKind? = nil, brand: String? = nil, model: String? = nil, category: String? = nil,
        room: String? = nil, source: Source, deviceID: String? = nil
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.brand = brand
        self.model = model
        self.category = category
        self.room = room
        self.source = source
        self.deviceID = deviceID
    }

    /// The same device with its texts in the form in which the house stores names: one line, bounded, without invisible characters.
    var cleaned: DiscoveredDevice {
        DiscoveredDevice(
            id: String(id.prefix(200)), name: Name.cleaned(name, else: Interview.phrase(.unnamedThing)), kind: kind,
            brand: brand.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 },
            model: model.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 },
            category: category.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 },
            room: room.map { String($0.prefix(200)) }, source: source, deviceID: deviceID.map { String($0.prefix(200)) })
    }
}
