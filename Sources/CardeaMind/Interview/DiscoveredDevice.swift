import CardeaModel

/// Something the house's own looking around came upon, before anybody has said what it is.
public struct DiscoveredDevice: Codable, Hashable, Sendable, Identifiable {
    public let id: String
    /// What it calls itself: a stranger's text, shown and compared, never followed.
    public var name: String
    public var kind: EntityKind?
    public var brand: String?
    public var model: String?
    /// What it says it is, in words: door lock.
    public var category: String?
    /// The room's id or name, as far as its integration knows.
    public var room: String?
    public var source: Source
    /// The device of the house that it already is.
    public var deviceID: String?

    /// Where it was come upon.
    public enum Source: String, Codable, Hashable, Sendable, CaseIterable {
        case mdns, mqtt, virtual
        case homeAssistant = "home-assistant"
        /// A device of the house that somebody spoke of, and that is not connected.
        case planned

        /// - Parameter integration: whose device it is.
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

    /// The same with its texts as the house keeps names: one line, bounded, nothing invisible.
    var cleaned: DiscoveredDevice {
        DiscoveredDevice(
            id: String(id.prefix(200)), name: Name.cleaned(name, else: Interview.phrase(.unnamedThing)), kind: kind,
            brand: brand.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 },
            model: model.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 },
            category: category.map { Name.cleaned($0, else: "") }.flatMap { $0.isEmpty ? nil : $0 },
            room: room.map { String($0.prefix(200)) }, source: source, deviceID: deviceID.map { String($0.prefix(200)) })
    }
}
