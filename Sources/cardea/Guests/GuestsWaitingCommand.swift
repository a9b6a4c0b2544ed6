import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct GuestsWaitingCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "asks", abstract: "List the guests who wait for approval.",
        discussion: "  cardea guests asks")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.asks)
        try await context.output.show(look) {
            guard !look.answer.asks.isEmpty else { return look.asOf == nil ? "No guests are waiting." : "No guests were waiting." }
            let clock = try await context.clock(look)
            let lines = look.answer.asks.map { ask in
                let what =
                    ask.kind == "pairing"
                    ? "wants to accept the pass\(Self.phone(ask))" : "is at \(ask.deviceName ?? "a door")"
                return "\(ask.guestName) \(what), \(clock.remaining(until: ask.expiresAt)) left."
            }
            return (lines + ["Answer with `cardea guests approve NAME` or `cardea guests reject NAME`."]).joined(separator: "\n")
        }
    }

    private static func phone(_ ask: AskAnswer) -> String {
        guard let number = ask.number else { return "" }
        if ask.replacesPhone == true { return " again, on the phone that shows \(number)" }
        return ask.isSecondPhone == true ? " on a second phone, which shows \(number)" : " on the phone that shows \(number)"
    }
}
