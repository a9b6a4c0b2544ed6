import CardeaAPI
import CardeaModel

/// The state of the house's doors in a sentence or two, the worst first. It never claims more than the doors have reported.
public enum DoorSummaryText {
    /// - Parameter clock: the house's, for when doors that are not known reported last; nil leaves that out.
    public static func summary(_ all: [Door], by clock: HouseClock? = nil) -> String {
        // A button or a relay opens something, and never reports its state.
        let doors = all.filter { ![.button, .switch].contains($0.entity.kind) && !$0.isIncidental }
        guard !doors.isEmpty else { return "There are no doors here yet." }
        let told = doors.map { (name: $0.name, status: Status($0), door: $0) }
        let calm = told.filter { $0.status == .locked || $0.status == .shut }
        guard calm.count < told.count else { return allShut(told.map { ($0.name, $0.status) }) }
        var sentences = Status.allCases.filter { $0 != .locked && $0 != .shut }.compactMap { status -> String? in
            let those = told.filter { $0.status == status }
            if status == .notKnown, let clock, those.count <= lastReportLimit {
                return those.isEmpty ? nil : those.map { notKnown($0.name, $0.door, by: clock) }.joined(separator: " ")
            }
            return those.isEmpty ? nil : sentence(those.map(\.name), status)
        }
        for status in [Status.locked, .shut] {
            let names = calm.filter { $0.status == status }.map(\.name)
            if !names.isEmpty { sentences.append(sentence(names, status)) }
        }
        return sentences.joined(separator: " ")
    }

    /// In order of reporting, the worst first.
    enum Status: CaseIterable {
        case jammed, open, unlocked, notKnown, silent, unsure, assumed, moving, locked, shut

        init(_ door: Door) {
            guard door.entity.lastReported == nil else {
                self = .notKnown
                return
            }
            guard door.device.status != .offline, door.device.status != .error else {
                self = .silent
                return
            }
            guard door.entity.isAssumed != true else {
                self = .assumed
                return
            }
            // An older hub still sends the last state of a device that it has lost. A current one marks an unknown state.
            let isLost = door.entity.isAssumed == nil && door.device.status == .unknown
            switch isLost ? "unknown" : door.entity.state {
            case "jammed": self = .jammed
            case "open", "stopped": self = .open
            case "unlocked": self = .unlocked
            case "locking", "unlocking", "opening", "closing": self = .moving
            case "locked": self = .locked
            case "closed": self = .shut
            default: self = .unsure
            }
        }
    }

    private static func allShut(_ doors: [(String, Status)]) -> String {
        guard doors.count > 1 else { return sentence(doors.map(\.0), doors.first?.1 ?? .unsure) }
        return doors.allSatisfy { $0.1 == .locked } ? "Everything is locked." : "Everything is locked or shut."
    }

    /// The number of doors whose last report is shown.
    private static let lastReportLimit = 3

    private static func notKnown(_ name: String, _ door: Door, by clock: HouseClock) -> String {
        "\(name) is \(LastReportText(clock).text(door.entity) ?? "not known")."
    }

    private static func sentence(_ names: [String], _ status: Status) -> String {
        let many = names.count > 1
        let who = list(names)
        return switch status {
        case .jammed: "\(who) \(many ? "are" : "is") jammed."
        case .open: "\(who) \(many ? "are" : "is") open."
        case .unlocked: "\(who) \(many ? "are" : "is") not locked."
        case .notKnown: "\(who) \(many ? "are" : "is") not known."
        case .silent: "\(who) \(many ? "do" : "does") not answer."
        case .unsure: "\(who) \(many ? "have" : "has") not said how \(many ? "they stand" : "it stands")."
        case .assumed: "\(who) never \(many ? "say" : "says") how \(many ? "they stand" : "it stands")."
        case .moving: "\(who) \(many ? "are" : "is") moving."
        case .locked: "\(who) \(many ? "are" : "is") locked."
        case .shut: "\(who) \(many ? "are" : "is") shut."
        }
    }

    public static func list(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
