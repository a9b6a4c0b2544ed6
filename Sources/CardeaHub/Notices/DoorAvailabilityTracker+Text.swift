import CardeaModel
import Foundation

extension DoorAvailabilityTracker.Change {
    /// The number of doors that are named.
    private static let maxNames = 3

    /// The notification, by the house's clock.
    func text(now: Date, in zone: TimeZone) -> String { isLoss ? lossText(now: now, in: zone) : recoveryText }

    private func lossText(now: Date, in zone: TimeZone) -> String {
        let sentence = "\(Self.joinedNames(doors)) \(doors.count == 1 ? "has" : "have") an unknown state: \(reason)."
        let known = doors.prefix(Self.maxNames).compactMap { door in door.last.map { (door.name, $0) } }
        guard let (name, first) = known.first else { return sentence }
        func report(_ report: LastReport) -> String {
            "\(Self.displayName(report.state.value)) \(ReportTimeText.text(report.at, now: now, in: zone))"
        }
        let subject = doors.count == 1 ? "It" : name
        let rest = known.dropFirst().map { ", \($0.0) \(report($0.1))" }.joined()
        return "\(sentence) \(subject) last reported \(report(first))\(rest)."
    }

    private var reason: String {
        if isOfConnection { return "\(Self.peerName(integration)) does not respond" }
        let isOne = doors.count == 1
        if doors.allSatisfy(\.isOffline) { return isOne ? "it does not respond" : "they do not respond" }
        return isOne ? "it has not reported again" : "they have not reported again"
    }

    private var recoveryText: String {
        let state = doors.first.flatMap { doors.count == 1 && $0.state != "unknown" ? ": \(Self.displayName($0.state))" : nil } ?? ""
        let peer = Self.peerName(integration)
        let sentence =
            doors.isEmpty
            ? "\(peer.prefix(1).uppercased())\(peer.dropFirst()) responds again."
            : "\(Self.joinedNames(doors)) \(doors.count == 1 ? "reports" : "report") again\(state)."
        guard !stillUnknown.isEmpty else { return sentence }
        return "\(sentence) \(Self.joinedNames(stillUnknown)) still \(stillUnknown.count == 1 ? "has" : "have") an unknown state."
    }

    private static func peerName(_ integration: String) -> String {
        switch integration {
        case "mqtt": "the MQTT broker"
        case "home-assistant": "Home Assistant"
        default: "the connection of \(integration)"
        }
    }

    private static func displayName(_ state: String) -> String { state.replacing("_", with: " ") }

    private static func joinedNames(_ doors: [DoorAvailabilityTracker.Door]) -> String {
        let names = doors.map(\.name)
        let listed = names.count > maxNames ? names.prefix(maxNames) + ["\(names.count - maxNames) more"] : names[...]
        guard listed.count > 1, let last = listed.last else { return listed.first ?? "" }
        return "\(listed.dropLast().joined(separator: ", ")) and \(last)"
    }
}
