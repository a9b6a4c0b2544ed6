import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct GuestsListCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the guests and the state of their passes.",
        discussion: """
              cardea guests
              cardea guests --json | jq -r '.guests[] | select(.status == "active") | .name'
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query {
            try await $0.guests.list()
        } stored: {
            try await $0.guests().map { GuestsAnswer(guests: $0) }
        }
        let answer = look.answer
        if look.asOf != nil {
            let prepared = try await context.requiredReplica().preparedPasses()
            if !prepared.isEmpty {
                context.output.note("Queued, not made yet: \(DoorSummaryText.list(prepared.map(\.operation.name))).")
            }
        }
        try await context.output.show(look) {
            guard !answer.guests.isEmpty else { return "No guests yet. Invite one: cardea guests invite NAME --door front-door" }
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
