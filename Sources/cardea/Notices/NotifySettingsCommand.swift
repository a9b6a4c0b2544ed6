import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct NotifySettingsCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "What you want to be told, and when not. Without options it is shown.",
        discussion: """
              cardea notify settings
              cardea notify settings --kinds ask,ring,person --quiet 22:00-07:00
              cardea notify settings --next ada --after 60
              cardea notify settings --mute camera_0199…
            """)

    @Flag(inversion: .prefixedNo, help: "Whether you are told at all.")
    var told: Bool?
    @Option(
        help: ArgumentHelp(
            "Of what: ask, ring, person, package, vehicle, animal, motion, other, unusual, automation, maintenance. Danger is told always, and that what you asked for is done.",
            valueName: "kinds"))
    var kinds: String?
    @Option(help: ArgumentHelp("Hours in which you want to be left alone, such as 22:00-07:00, or never.", valueName: "hours"))
    var quiet: String?
    @Option(help: ArgumentHelp("The time zone of these hours. Default: this machine's.", valueName: "zone"))
    var zone: String?
    @Flag(inversion: .prefixedNo, help: "Whether somebody who waits for an answer comes through quiet hours.")
    var critical: Bool?
    @Option(help: ArgumentHelp("Seconds in which one visit is told once.", valueName: "seconds"))
    var cooldown: Int?
    @Option(help: ArgumentHelp("Who is told next of a ring or an ask that you do not answer, or nobody.", valueName: "person"))
    var next: String?
    @Option(help: ArgumentHelp("After how many seconds, 30 to 3600.", valueName: "seconds"))
    var after: Int?
    @Option(help: ArgumentHelp("A camera or source of which you want to hear nothing. May be given several times.", valueName: "id"))
    var mute: [String] = []
    @Option(help: ArgumentHelp("One of which you want to hear again. May be given several times.", valueName: "id"))
    var unmute: [String] = []
    @OptionGroup var output: OutputOptions

    private var changesNothing: Bool {
        told == nil && kinds == nil && quiet == nil && zone == nil && critical == nil && cooldown == nil && next == nil && after == nil
            && mute.isEmpty && unmute.isEmpty
    }

    func run(in context: CommandContext) async throws {
        if changesNothing {
            let look = try await context.query(.notifications)
            return try await context.output.show(look) { Self.text(look.answer, try await people(look.answer, context)) }
        }
        let client = try context.client()
        let settings = try await client.notices.change(try await body(try await client.notices.preferences(), client))
        try await context.output.show(settings) { Self.text(settings, try await people(settings, context)) }
    }

    private func people(_ settings: NotificationsAnswer, _ context: CommandContext) async throws -> [PersonAnswer] {
        settings.escalation == nil ? [] : try await context.query(.people).answer.people
    }

    /// The earlier settings, with the options given now.
    private func body(_ settings: NotificationsAnswer, _ client: CardeaClient) async throws -> NotificationsBody {
        var body = NotificationsBody()
        body.enabled = told ?? settings.enabled
        body.kinds =
            try kinds.map { text in
                try text.split(separator: ",").map { word in
                    guard let kind = NoticeKind(rawValue: word.trimmingCharacters(in: .whitespaces)) else {
                        throw CommandLineError.usage(
                            "\"\(word)\" is no kind. There are \(NoticeKind.allCases.map(\.rawValue).joined(separator: ", ")).")
                    }
                    return kind
                }
            } ?? settings.kinds.compactMap(NoticeKind.init)
        body.muted = (settings.muted + mute).filter { !unmute.contains($0) }
        body.quietHours = try hours(settings.quietHours)
        body.cooldownSeconds = cooldown ?? settings.cooldownSeconds
        body.escalation = settings.escalation
        if next == "nobody" {
            body.escalation = nil
        } else if let next {
            let person = try await client.person(next)
            body.escalation = EscalationBody(afterSeconds: after ?? settings.escalation?.afterSeconds ?? 60, personID: person.personID)
        } else if let after {
            guard let before = settings.escalation else { throw CommandLineError.usage("Say with --next who is told next.") }
            body.escalation = EscalationBody(afterSeconds: after, personID: before.personID)
        }
        return body
    }

    private func hours(_ before: QuietHoursBody?) throws -> QuietHoursBody? {
        if quiet == "never" { return nil }
        var hours = before
        if let quiet {
            let ends = quiet.split(separator: "-", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard ends.count == 2, let from = TimeOfDay(ends[0]), let to = TimeOfDay(end: ends[1]) else {
                throw CommandLineError.usage("\"\(quiet)\" is no time of the day. Write 22:00-07:00, or never.")
            }
            hours = QuietHoursBody(
                from: from, to: to, timeZone: hours?.timeZone ?? TimeZone.current.identifier,
                criticalOverride: hours?.criticalOverride ?? true)
        }
        if zone != nil || critical != nil, hours == nil { throw CommandLineError.usage("Say with --quiet which hours.") }
        if let zone { hours?.timeZone = zone }
        if let critical { hours?.criticalOverride = critical }
        return hours
    }

    private static func text(_ settings: NotificationsAnswer, _ people: [PersonAnswer]) -> String {
        guard settings.enabled else { return "You are told of nothing." }
        var lines = [settings.kinds.isEmpty ? "You are told of nothing." : "You are told of: \(settings.kinds.joined(separator: ", "))."]
        if let quiet = settings.quietHours {
            let through = quiet.criticalOverride ? "; who waits for an answer comes through" : ""
            lines.append("Left alone from \(quiet.from) to \(quiet.to), \(quiet.timeZone)\(through).")
        }
        lines.append("One visit is told once in \(settings.cooldownSeconds) seconds.")
        if let escalation = settings.escalation {
            let name = people.first { $0.personID == escalation.personID }?.name ?? escalation.personID
            lines.append("After \(escalation.afterSeconds) seconds without an answer: \(name).")
        }
        if !settings.muted.isEmpty { lines.append("Nothing from: \(settings.muted.joined(separator: ", ")).") }
        return lines.joined(separator: "\n")
    }
}
