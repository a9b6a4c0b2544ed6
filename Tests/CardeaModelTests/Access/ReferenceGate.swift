import CardeaModel
import Foundation

/// The gate written a second time, in the simplest way: flat, slow, and without a common line with the real one.
struct ReferenceGate {
    enum Answer: Hashable {
        case yes, ask
        case no(String)
    }

    static func answer(_ request: Gate.Request, _ grant: Grant, _ now: Date, _ zone: TimeZone) -> Answer {
        if case .role(let role, let disabled) = grant.scope {
            if disabled { return .no("no_grant") }
            if role == .guest { return .no("role_lacks_right") }
            if role == .member && request.isSecurityDevice && request.risk == .open { return .no("security_device") }
            return .yes
        }
        guard case .list(let items) = grant.scope else { return .no("no_grant") }
        if grant.revokedAt != nil { return .no("revoked") }
        if let end = grant.expiresAt, !(now < end) { return .no("expired") }
        let looks = request.verb == .read
        if !looks && grant.useLimit != 0 && !(grant.useCount < grant.useLimit) { return .no("used_up") }
        if grant.rejectedAt != nil { return .no("rejected") }
        if !grant.isApproved { return .no("awaiting_approval") }
        if grant.suspendedAt != nil { return .no("suspended") }
        if let start = grant.startsAt, now < start { return .no("not_yet_valid") }
        var knowsDoor = false
        var knowsVerb = false
        for item in items where item.deviceID == request.deviceID {
            if item.entityID != request.entityID { continue }
            knowsDoor = true
            if looks || item.verbs.contains(request.verb) { knowsVerb = true }
        }
        if !knowsDoor { return .no("device_not_in_scope") }
        if !knowsVerb { return .no("action_not_allowed") }
        if !request.isGuestAccessible { return .no("not_guest_accessible") }
        if grant.localOnly && !request.isLocal { return .no("forbidden_remote") }
        if let schedule = grant.schedule, !isOpen(schedule, now, zone) { return .no("outside_schedule") }
        if grant.asksEachTime && !looks { return .ask }
        return .yes
    }

    /// Walks back minute by minute over the local time.
    static func isOpen(_ schedule: WeeklySchedule, _ now: Date, _ zone: TimeZone) -> Bool {
        for line in schedule.lines {
            for day in -2...1 where isOpen(line, dayOffset: day, now, zone) { return true }
        }
        return false
    }

    private static func isOpen(_ line: WeeklySchedule.Window, dayOffset: Int, _ now: Date, _ zone: TimeZone) -> Bool {
        // Local days: the number of whole days since 1970 by local time.
        let wall = Int((now.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: now))).rounded(.down))
        let day = Int((Double(wall) / 86_400).rounded(.down)) + dayOffset
        let names: [Weekday] = [.thu, .fri, .sat, .sun, .mon, .tue, .wed]
        guard line.days.contains(names[((day % 7) + 7) % 7]) else { return false }
        let endDay = line.to.minutes <= line.from.minutes ? day + 1 : day
        let start = instants(day * 86_400 + line.from.minutes * 60, zone).min() ?? afterGap(day * 86_400 + line.from.minutes * 60, zone)
        let end = instants(endDay * 86_400 + line.to.minutes * 60, zone).max() ?? afterGap(endDay * 86_400 + line.to.minutes * 60, zone)
        return start <= now && now < end
    }

    /// Every instant with the local time `wall` seconds since 1970, found by trying each offset that a zone can have.
    private static func instants(_ wall: Int, _ zone: TimeZone) -> [Date] {
        stride(from: -14 * 3600, through: 14 * 3600, by: 900).compactMap { offset in
            let date = Date(timeIntervalSince1970: Double(wall - offset))
            return zone.secondsFromGMT(for: date) == offset ? date : nil
        }
    }

    /// The first quarter of an hour after a skipped local time.
    private static func afterGap(_ wall: Int, _ zone: TimeZone) -> Date {
        for quarter in 1...16 {
            let later = (wall / 900 + quarter) * 900
            if let date = instants(later, zone).min() { return date }
        }
        return .distantFuture
    }
}
