import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A device that a question names, with its last known state. It does not answer the question: it is shown beside a queued one.
public struct LastKnownState: Sendable {
    public let device: DeviceAnswer

    /// The maximum number of devices shown.
    static let limit = 8

    /// The devices whose names, or whose rooms' names, occur in `query` as whole words.
    static func mentioned(in query: String, among devices: [DeviceAnswer], rooms: [RoomDescriptionAnswer]) -> [LastKnownState] {
        let words = splitWords(query)
        let named = devices.filter { mentions($0.name, in: words) }
        guard named.isEmpty else { return named.prefix(limit).map { LastKnownState(device: $0) } }
        let meant = Set(rooms.filter { mentions($0.name, in: words) }.map(\.roomID))
        return devices.filter { $0.roomID.map(meant.contains) ?? false }.prefix(limit).map { LastKnownState(device: $0) }
    }

    private static func mentions(_ name: String, in words: [String]) -> Bool {
        let wanted = splitWords(name)
        guard !wanted.isEmpty, wanted.count <= words.count else { return false }
        return (0...(words.count - wanted.count)).contains { Array(words[$0..<($0 + wanted.count)]) == wanted }
    }

    private static func splitWords(_ text: String) -> [String] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).split { !$0.isLetter && !$0.isNumber }.map(
            String.init)
    }

    /// The state as text, such as `Hall light: on`.
    ///
    /// - Parameter clock: the clock for last reports.
    public func text(_ clock: HouseClock) -> String {
        if let report = LastReportText(clock).text(device) { return "\(device.name): \(report)" }
        let enabled = device.entities.filter(\.isEnabled)
        let own = enabled.filter { $0.category == nil }
        let states = (own.isEmpty ? enabled : own).prefix(4).map { entity in
            ([entity.state.replacing("_", with: " "), entity.unitOfMeasurement] as [String?]).compactMap(\.self).joined(separator: " ")
        }
        return "\(device.name): \(states.joined(separator: ", "))"
    }
}
