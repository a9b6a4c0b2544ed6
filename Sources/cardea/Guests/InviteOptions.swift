import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// Options for the hours, the end and the uses of a pass.
struct InviteOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The start of the pass: now, 14:00, \"tomorrow 9:00\", fri, 2026-11-21.", valueName: "time"))
    var from: String?
    @Option(help: ArgumentHelp("The end of the pass, written the same way.", valueName: "time"))
    var until: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The duration, instead of --until: 90m, 4h, 2d, 1w. Default: 4h.", valueName: "duration"))
    var duration: String?
    @Option(help: ArgumentHelp("The pass works only on these days: mon,tue or mon-fri or weekend.", valueName: "days"))
    var days: String?
    @Option(
        help: ArgumentHelp(
            "The pass works only in these hours, in the house's time zone: 9-12 or 09:00-12:30; 22-2 runs past midnight.",
            valueName: "hours"))
    var between: String?
    @Option(help: "The number of uses; 0 is no limit.")
    var uses: Int = 0
    @Flag(help: "A resident must approve the phone that accepts the pass.")
    var approveFirst = false
    @Flag(help: "A resident must approve each opening.")
    var askEachTime = false
    @Flag(help: "The pass works only on the house's own network.")
    var localOnly = false
    @Flag(help: "The phone must verify the guest by face, fingerprint or PIN before each opening.")
    var verified = false

    func validate() throws {
        guard until == nil || duration == nil else { throw ValidationError("Add --until or --for, not both.") }
        if let duration, TimeParser.duration(duration) == nil {
            throw ValidationError("--for \(duration) is not a duration. Write 90m, 4h, 2d or 1w.")
        }
        guard uses >= 0 else { throw ValidationError("--uses needs a number from 0; 0 is no limit.") }
        if let days, WeekdayParser.days(days) == nil {
            throw ValidationError("--days \(days) is not a list of days. Write mon,tue or mon-fri or weekend.")
        }
        if let between, WeekdayParser.hours(between) == nil {
            throw ValidationError("--between \(between) is not a time range. Write 9-12 or 09:00-12:30.")
        }
        let isWeekly = days != nil || between != nil
        let hasEnd = until != nil || duration != nil
        guard hasEnd || !isWeekly else {
            throw ValidationError("A weekly pass needs an end: add --until or --for.")
        }
    }

    func body(name: String, grants: [GrantBody], zone: TimeZone, now: Date) throws -> InviteGuestBody {
        let text = TimeParser(zone: zone, now: now)
        let start = try from.map { try Self.required(text.date($0, .beginning), "--from \($0)") }
        let end = try until.map { try Self.required(text.end($0, after: start ?? now), "--until \($0)") }
        let length: TimeInterval = duration.flatMap { TimeParser.duration($0) } ?? 14_400
        let expires = end ?? (start ?? now).addingTimeInterval(length)
        let clock = HouseClock(zone: zone, now: now)
        guard expires > now else {
            throw CommandLineError.usage("This pass would have ended \(clock.spoken(expires)) already. Did you mean tomorrow?")
        }
        if let start, start >= expires { throw CommandLineError.usage("This pass would end before it begins.") }
        let later: Date? = if let start, start > now { start } else { nil }
        return InviteGuestBody(
            name: name, grants: grants, startsAt: later, expiresAt: expires, schedule: schedule, maxUses: uses,
            requiresApproval: approveFirst ? true : nil,
            asksEachTime: askEachTime ? true : nil, localOnly: localOnly ? true : nil, presence: verified ? .verified : nil)
    }

    private var schedule: ScheduleBody? {
        guard days != nil || between != nil, let midnight = TimeOfDay("00:00") else { return nil }
        let chosen = days.flatMap { WeekdayParser.days($0) } ?? Set(Weekday.allCases)
        let hours = between.flatMap { WeekdayParser.hours($0) } ?? (from: midnight, to: midnight)
        return ScheduleBody(WeeklySchedule(lines: [WeeklySchedule.Window(days: chosen, from: hours.from, to: hours.to)]))
    }

    private static func required(_ date: Date?, _ what: String) throws -> Date {
        guard let date else { throw CommandLineError.usage("\(what) is not a time. Write now, 14:00, \"tomorrow 9:00\", fri, 2026-11-21.") }
        return date
    }
}
