import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct GuestsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Who may come in, and who did.",
        discussion: """
              cardea guests
              cardea guests --json | jq -r '.guests[] | select(.status == "active") | .name'
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query {
            try await $0.guests.list()
        } kept: {
            try await $0.guests().map { GuestsAnswer(guests: $0) }
        }
        let answer = look.answer
        if look.asOf != nil {
            let prepared = try await context.requiredReplica().preparedPasses()
            if !prepared.isEmpty {
                context.output.note("Prepared, and not made yet: \(DoorSummaryText.list(prepared.map(\.operation.name))).")
            }
        }
        try await context.output.show(look) {
            guard !answer.guests.isEmpty else { return "No guests yet. `cardea guests invite NAME --door front-door` lets somebody in." }
            let clock = try await context.clock(look)
            let words = GuestText(clock)
            let rows = answer.guests.map { guest in
                [
                    guest.name, words.status(guest), DoorSummaryText.list(guest.grants.map { $0.deviceName ?? $0.deviceID }),
                    clock.short(guest.expiresAt), words.uses(guest), guest.lastUsedAt.map(clock.short) ?? "never", guest.guestID,
                ]
            }
            return Table("NAME", "STANDS", "DOORS", "UNTIL", "USED", "LAST", "ID", rows: rows).text(context.output)
        }
    }
}
