import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct ActivityCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity", abstract: "Show recent commands: who sent them, and their results.",
        discussion: """
              cardea activity
              cardea activity --guest Plumber --result refused
            """)

    @Option(help: "Show only entries of this guest, by id or name.")
    var guest: String?
    @Option(help: "Show only entries of this device, by id or name.", completion: .devices)
    var device: String?
    @Option(help: "Show only this result: allowed, refused, confirmed, failed, unknown, expired, paired.")
    var result: String?
    @Option(help: "The number of entries to show.")
    var limit: Int = 30
    @Option(help: "Show only entries before this one; the last line of a page gives the value.")
    var before: Int?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query {
            let guestID = if let guest { try await $0.guest(guest).guestID } else { String?.none }
            let deviceID = if let device { try await $0.deviceID(device) } else { String?.none }
            return try await $0.access.activity(
                .init(limit: limit, before: before, guestID: guestID, deviceID: deviceID, result: result))
        } stored: {
            let guestID = if let guest { try NameResolver.guest(guest, among: await $0.guests().value).guestID } else { String?.none }
            let deviceID = if let device { try NameResolver.device(device, among: await $0.devices().value).deviceID } else { String?.none }
            return try await $0.activity().map { page($0, guestID: guestID, deviceID: deviceID) }
        }
        let answer = look.answer
        try await context.output.show(look) {
            let table = try await ActivityText(context.clock(look)).table(answer.entries, who: true, context.output)
            return table + (answer.nextBefore.map { context.output.dim("\nOlder: cardea activity --before \($0)") } ?? "")
        }
    }

    /// The page that the house would return, built from stored entries.
    private func page(_ entries: [ActivityEntry], guestID: String?, deviceID: String?) -> ActivityAnswer {
        let fitting = entries.filter { entry in
            (before.map { entry.id < $0 } ?? true) && (guestID == nil || entry.who.id == guestID)
                && (deviceID == nil || entry.deviceID == deviceID) && (result == nil || entry.result == result)
        }
        let shown = Array(fitting.prefix(max(0, limit)))
        return ActivityAnswer(entries: shown, nextBefore: shown.count < fitting.count ? shown.last?.id : nil)
    }
}
