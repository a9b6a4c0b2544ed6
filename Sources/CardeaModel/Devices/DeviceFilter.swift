import Foundation

/// A filter for devices, with a limit on their number.
public struct DeviceFilter: Hashable, Sendable {
    public var status: DeviceStatus?
    /// A room's id, or its name.
    public var location: String?
    public var deviceClass: DeviceClass?
    /// Devices with an entity of this kind.
    public var kind: EntityKind?
    public var integration: String?
    /// Words of the name, the description, the maker, the room.
    public var search: String?

    public init() {}

    public var isEmpty: Bool { self == DeviceFilter() }

    public func matches(_ device: Device, rooms: [Room]) -> Bool {
        if let status, device.status != status { return false }
        if let deviceClass, device.deviceClass != deviceClass { return false }
        if let kind, !device.entities.contains(where: { $0.kind == kind }) { return false }
        if let integration, device.integration != integration { return false }
        let room = device.roomID.flatMap { id in rooms.first { $0.id == id } }
        if let location, device.roomID != location, room?.name.lowercased() != location.lowercased() { return false }
        guard let search else { return true }
        let texts =
            [device.id, device.name, device.description, device.manufacturer, device.model, room?.name] + device.entities.map(\.name)
        // Every word must occur in one of the fields, ignoring case and accents.
        return search.split(whereSeparator: \.isWhitespace).allSatisfy { word in
            texts.contains { $0?.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) != nil }
        }
    }
}
