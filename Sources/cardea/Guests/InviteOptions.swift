import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// Options for the hours, the end and the uses of a pass.
struct InviteOptions: ParsableArguments {
    @Option(help: ArgumentHelp("When it begins: now, 14:00, \"tomorrow 9:00\", fri, 2026-11-21.", valueName: "time"))
    var from: String?
    @Option(help: ArgumentHelp("When it ends, written alike.", valueName: "time"))
    var until: String?
    @Option(
        name: .customLong("for"), help: ArgumentHelp("How long it is good instead: 90m, 4h, 2d, 1w. Left out: 4h.", valueName: "duration"))
    var duration: String?
    @Option(help: ArgumentHelp("Only on these days: mon,tue or mon-fri or weekend.", valueName: "days"))
    var days: String?
    @Option(
        help: ArgumentHelp("Only in these hours, by the house's clock: 9-12 or 09:00-12:30; 22-2 runs past midnight.", valueName: "hours"))
    var between: String?
    @Option(help: "How often it may be used; 0 is no limit.")
    var uses: Int = 0
    @Flag(help: "Somebody in the house must approve the phone that takes it.")
    var approveFirst = false
    @Flag(help: "Somebody in the house is asked each time.")
    var askEachTime = false
    @Flag(help: "Only from the house's own network.")
    var localOnly = false
    @Flag(help: "The phone checks who holds it, by face, finger or PIN, before a door opens.")
    var verified = false

    func validate() throws {
        guard until == nil || duration == nil else { throw ValidationError("Say --until or --for, not both.") }
        if let duration, TimeParser.duration(duration) == nil {
            throw ValidationError("--for \(duration) is no length of time. Write 90m, 4h, 2d or 1w.")
        }
        guard uses >= 0 else { throw ValidationError("--uses counts from 0, which is no limit.") }
        if let days, WeekdayParser.days(days) == nil {
            throw ValidationError("--days \(days) are no days. Write mon,tue or mon-fri or weekend.")
        }
        if let between, WeekdayParser.hours(between) == nil {
            throw ValidationError("--between \(between) are no hours. Write 9-12 or 09:00-12:30.")
        }
        let isWeekly = days != nil || between != nil
        let hasEnd = until != nil || duration != nil
        guard hasEnd || !isWeekly else {
            throw ValidationError("A weekly pass needs an end: say --until or --for.")
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
        guard let date else { throw CommandLineError.usage("\(what) is no time. Write now, 14:00, \"tomorrow 9:00\", fri, 2026-11-21.") }
        return date
    }
}
