import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A guest and their pass, as the house reads it.
struct GuestText {
    let clock: HouseClock

    init(_ clock: HouseClock) {
        self.clock = clock
    }

    /// "Plumber may open Front door today from 14:00 to 18:00, 2 times."
    func sentence(_ guest: GuestAnswer) -> String {
        let hours = guest.schedule.map { ", \(ScheduleText.text($0.schedule))" } ?? ""
        let when = guest.startsAt.map { clock.range($0, guest.expiresAt) } ?? "until \(clock.short(guest.expiresAt))"
        var sentences = ["\(guest.name) \(rights(guest)) \(when)\(hours), \(limitText(guest))."]
        if guest.requiresApproval { sentences.append("You must approve the phone that accepts the pass.") }
        if guest.asksEachTime { sentences.append("You must approve each opening.") }
        if guest.presence == .verified { sentences.append("The phone verifies the guest before each opening.") }
        if guest.localOnly { sentences.append("It works only on the house's own network.") }
        return sentences.joined(separator: " ")
    }

    func rights(_ guest: GuestAnswer) -> String {
        let clauses = guest.grants.map(clause)
        return "may " + DoorSummaryText.list(clauses)
    }

    /// `open Front door`, and other actions as named in the pass.
    private func clause(_ grant: GrantBody) -> String {
        let opening: Set<Verb> = [.unlock, .open, .press]
        let others = grant.actions.filter { name in
            guard let verb = ActionName(name)?.verb else { return true }
            return !opening.contains(verb)
        }
        let what = others.count < grant.actions.count ? "open" : "use"
        let more = others.isEmpty ? "" : " (\(others.joined(separator: ", ")))"
        return "\(what) \(grant.deviceName ?? grant.deviceID)\(more)"
    }

    func status(_ guest: GuestAnswer) -> String {
        switch guest.status {
        case .waiting: "not accepted yet"
        case .approvalPending: "waits for your approval"
        case .rejected: "rejected"
        case .scheduled: "starts \((nextStart(guest) ?? guest.startsAt).map(clock.short) ?? "later")"
        case .active: nextStart(guest).map { "next time \(clock.short($0))" } ?? "active"
        case .suspended: "suspended"
        case .usedUp: "used up"
        case .expired: "ended"
        case .revoked: "revoked"
        }
    }

    /// The next time when it works; nil if a stored copy has a time that is already past.
    private func nextStart(_ guest: GuestAnswer) -> Date? { guest.nextFrom.flatMap { $0 > clock.now ? $0 : nil } }

    func uses(_ guest: GuestAnswer) -> String {
        guest.maxUses == 0 ? "\(guest.usedCount) so far" : "\(guest.usedCount) of \(guest.maxUses)"
    }

    /// The security of a paired pass: whether its token alone is enough to open.
    func binding(_ guest: GuestAnswer) -> String {
        guard guest.pairedAt != nil, let isBound = guest.boundToDevice else { return "" }
        return isBound
            ? " It works only on the device that accepted it."
            : " A copy of it also opens: its device has no key of its own."
    }

    private func limitText(_ guest: GuestAnswer) -> String {
        switch guest.maxUses {
        case 0: "as often as they like"
        case 1: "once"
        default: "\(guest.maxUses) times"
        }
    }
}
