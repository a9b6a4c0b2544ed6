import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A pass as its guest reads it.
enum PassText {
    static func text(_ pass: GuestPassAnswer) -> String {
        // An ended pass contains no names of the house any more.
        guard !pass.houseName.isEmpty else { return "The pass for \(pass.name). \(statusText(pass.status) ?? "It has ended.")" }
        let clock = HouseClock(zone: CommandContext.zone(pass.timeZone), now: Date(timeIntervalSince1970: TimeInterval(pass.now)))
        let end = Date(timeIntervalSince1970: TimeInterval(pass.expiresAt))
        let start = pass.startsAt.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        let when: String = if let start, start > clock.now { clock.range(start, end) } else { "until \(clock.short(end))" }
        let hours = pass.schedule.map { ", \(ScheduleText.text($0.schedule))" } ?? ""
        var lines = ["\(pass.houseName) lets you in, \(pass.name): \(DoorSummaryText.list(pass.entities.map(\.name))), \(when)\(hours)."]
        lines.append(usesText(pass.remainingUses))
        if pass.asksEachTime { lines.append("A resident must approve each opening.") }
        if pass.confirmation != nil { lines.append("It works only on the device that accepted it.") }
        if let notice = statusText(pass.status) {
            lines.append(notice)
        } else if let next = pass.nextFrom {
            lines.append("It does not open now. Next time: \(clock.short(Date(timeIntervalSince1970: TimeInterval(next)))).")
        }
        return lines.joined(separator: "\n")
    }

    private static func usesText(_ left: Int) -> String {
        switch left {
        case -1: "You may open it as often as you need."
        case 0: "No uses are left."
        case 1: "You may use it once more."
        default: "You may use it \(left) times more."
        }
    }

    private static func statusText(_ status: GuestStatus) -> String? {
        switch status {
        case .suspended: "It is suspended and may work again later."
        case .revoked: "It is revoked."
        case .expired: "It has ended. Ask your host for a new one."
        case .approvalPending: "A resident must approve it first."
        case .rejected: "It was rejected."
        case .waiting, .scheduled, .active, .usedUp: nil
        }
    }
}
