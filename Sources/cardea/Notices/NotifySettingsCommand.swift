import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct NotifySettingsCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show or change your notification settings.",
        discussion: """
              cardea notify settings
              cardea notify settings --kinds ask,ring,person --quiet 22:00-07:00
              cardea notify settings --next ada --after 60
              cardea notify settings --mute camera_0199…
            """)

    @Flag(inversion: .prefixedNo, help: "Switch all notifications on or off.")
    var told: Bool?
    @Option(
        help: ArgumentHelp(
            """
            The kinds, separated by commas: ask, ring, person, package, vehicle, animal, motion, other, unusual, automation, \
            maintenance. Danger, and the end of your own exports and erasures, are always reported.
            """,
            valueName: "kinds"))
    var kinds: String?
    @Option(help: ArgumentHelp("Quiet hours without notifications, such as 22:00-07:00, or never.", valueName: "hours"))
    var quiet: String?
    @Option(help: ArgumentHelp("The time zone of the quiet hours. Default: this machine's.", valueName: "zone"))
    var zone: String?
    @Flag(inversion: .prefixedNo, help: "Allow or block approval requests in quiet hours.")
    var critical: Bool?
    @Option(help: ArgumentHelp("Seconds before another notification of the same visit.", valueName: "seconds"))
    var cooldown: Int?
    @Option(
        help: ArgumentHelp(
            "The person who is notified next if you do not answer a ring or an approval request, or nobody.", valueName: "person"))
    var next: String?
    @Option(help: ArgumentHelp("Seconds before the next person is notified, 30 to 3600.", valueName: "seconds"))
    var after: Int?
    @Option(help: ArgumentHelp("Mute this camera or source, by id. Can be repeated.", valueName: "id"))
    var mute: [String] = []
    @Option(help: ArgumentHelp("Unmute this camera or source, by id. Can be repeated.", valueName: "id"))
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
                            "\"\(word)\" is not a kind. Use \(NoticeKind.allCases.map(\.rawValue).joined(separator: ", ")).")
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
            guard let before = settings.escalation else { throw CommandLineError.usage("Add --next with the person who is notified next.") }
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
                throw CommandLineError.usage("\"\(quiet)\" is not a time range. Write 22:00-07:00, or never.")
            }
            hours = QuietHoursBody(
                from: from, to: to, timeZone: hours?.timeZone ?? TimeZone.current.identifier,
                criticalOverride: hours?.criticalOverride ?? true)
        }
        if zone != nil || critical != nil, hours == nil { throw CommandLineError.usage("Add --quiet with the hours.") }
        if let zone { hours?.timeZone = zone }
        if let critical { hours?.criticalOverride = critical }
        return hours
    }

    private static func text(_ settings: NotificationsAnswer, _ people: [PersonAnswer]) -> String {
        guard settings.enabled else { return "Notifications are off." }
        var lines = [
            settings.kinds.isEmpty ? "No kinds of notification are on." : "Notifications: \(settings.kinds.joined(separator: ", "))."
        ]
        if let quiet = settings.quietHours {
            let through = quiet.criticalOverride ? "; approval requests still come through" : ""
            lines.append("Quiet hours from \(quiet.from) to \(quiet.to), \(quiet.timeZone)\(through).")
        }
        lines.append("At most one notification about the same visit within \(settings.cooldownSeconds) seconds.")
        if let escalation = settings.escalation {
            let name = people.first { $0.personID == escalation.personID }?.name ?? escalation.personID
            lines.append("After \(escalation.afterSeconds) seconds without an answer, \(name) is notified.")
        }
        if !settings.muted.isEmpty { lines.append("Muted: \(settings.muted.joined(separator: ", ")).") }
        return lines.joined(separator: "\n")
    }
}
