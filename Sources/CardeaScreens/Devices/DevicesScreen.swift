import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation
import Observation

/// The devices of the house, room by room.
@MainActor @Observable
public final class DevicesScreen {
    /// The search text; empty matches everything.
    public var search = ""

    private let loader: ContentLoader<Content>
    private let environment: ClientEnvironment

    private struct Content: Sendable {
        let rooms: [DeviceRoom]
        let zone: TimeZone
    }

    public init(replica: Replica, environment: ClientEnvironment = .live) {
        self.environment = environment
        loader = ContentLoader(replica, now: environment.now, isEmpty: { $0.rooms.isEmpty }) { replica in
            let rooms = try await replica.rooms().value
            let zone = await replica.houseClock(at: environment.now()).zone
            return try await replica.devices().map { Content(rooms: DeviceRoom.all($0, rooms: rooms), zone: zone) }
        }
    }

    /// The rooms with the devices that match the search.
    public var state: LoadState<[DeviceRoom]> {
        loader.state.map { found in found.rooms.compactMap { $0.matching(by: search) } }
    }

    /// True if there are devices, but none matches the search.
    public var hasNoMatches: Bool { state.content?.isEmpty == true }

    /// The state of the doors, in a sentence; nil if their present state is not known.
    public var doorSummary: String? {
        guard case .ready(let found) = loader.state else { return nil }
        return DoorSummaryText.summary(Door.all(in: found.rooms.flatMap(\.devices)), by: clock(found))
    }

    /// For the tile of a device, in place of its state: `not known, last reported locked at 23:34`, after the known states; nil if all
    /// states are known.
    public func lastReportText(_ device: DeviceAnswer) -> String? {
        loader.state.content.flatMap { LastReportText(clock($0)).text(device) }
    }

    private func clock(_ found: Content) -> HouseClock { HouseClock(zone: found.zone, now: environment.now()) }

    public var isRefreshing: Bool { loader.isRefreshing }

    /// Asks the house. A view calls this when it appears, on pull to refresh, and every 30 seconds while it is visible.
    public func refresh() async {
        await loader.refresh()
    }
}

/// A room with its devices.
public struct DeviceRoom: Sendable, Identifiable {
    /// nil for devices in no room.
    public let roomID: String?
    public let name: String
    public let devices: [DeviceAnswer]

    public var id: String { roomID ?? "" }

    /// In the house's order of rooms; devices in no room come last.
    static func all(_ devices: [DeviceAnswer], rooms: [RoomDescriptionAnswer]) -> [DeviceRoom] {
        let known = Set(rooms.map(\.roomID))
        let walked = rooms.map { room in
            DeviceRoom(roomID: room.roomID, name: room.name, devices: devices.filter { $0.roomID == room.roomID })
        }
        let rest = devices.filter { device in device.roomID.map { !known.contains($0) } ?? true }
        return (walked + [DeviceRoom(roomID: nil, name: "Elsewhere", devices: rest)]).filter { !$0.devices.isEmpty }
    }

    /// The whole room if its name matches `search`, else its matching devices; nil if nothing matches.
    func matching(by search: String) -> DeviceRoom? {
        let words = search.split(whereSeparator: \.isWhitespace)
        func isLike(_ names: [String]) -> Bool {
            words.allSatisfy { word in names.contains { $0.localizedCaseInsensitiveContains(word) } }
        }
        let found = devices.filter { isLike([$0.name, name, $0.userDescription ?? ""] + $0.entities.map(\.name)) }
        return found.isEmpty ? nil : DeviceRoom(roomID: roomID, name: name, devices: found)
    }
}
