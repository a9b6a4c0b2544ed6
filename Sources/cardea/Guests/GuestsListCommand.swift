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

    func run(in sitting: Sitting) async throws {
        let look = try await sitting.look {
            try await $0.guests.list()
        } kept: {
            try await $0.guests().map { GuestsAnswer(guests: $0) }
        }
        let answer = look.answer
        if look.asOf != nil {
            let prepared = try await sitting.keptHouse().preparedPasses()
            if !prepared.isEmpty {
                sitting.output.note("Prepared, and not made yet: \(HouseSentence.list(prepared.map(\.operation.name))).")
            }
        }
        try await sitting.output.show(look) {
            guard !answer.guests.isEmpty else { return "No guests yet. `cardea guests invite NAME --door front-door` lets somebody in." }
            let clock = try await sitting.clock(look)
            let words = GuestWords(clock)
            let rows = answer.guests.map { guest in
                [
                    guest.name, words.standing(guest), HouseSentence.list(guest.grants.map { $0.deviceName ?? $0.deviceID }),
                    clock.short(guest.expiresAt), words.uses(guest), guest.lastUsedAt.map(clock.short) ?? "never", guest.guestID,
                ]
            }
            return Table("NAME", "STANDS", "DOORS", "UNTIL", "USED", "LAST", "ID", rows: rows).text(sitting.output)
        }
    }
}
