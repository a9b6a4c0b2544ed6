import ArgumentParser
import CardeaAPI
import CardeaClient

struct GuestsAsksCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "asks", abstract: "Who waits for your yes.",
        discussion: "  cardea guests asks")

    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let answer = try await client.access.asks()
        try await sitting.output.show(answer) {
            guard !answer.asks.isEmpty else { return "Nobody waits." }
            let clock = try await sitting.clock(client)
            let lines = answer.asks.map { ask in
                let what = ask.kind == "pairing" ? "wants to take the pass" : "stands before \(ask.deviceName ?? "a door")"
                return "\(ask.guestName) \(what), \(clock.remaining(until: ask.expiresAt)) left."
            }
            return (lines + ["`cardea guests approve NAME` or `reject NAME` answers."]).joined(separator: "\n")
        }
    }
}
