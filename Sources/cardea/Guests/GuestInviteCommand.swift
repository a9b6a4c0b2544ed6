import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

struct GuestInviteCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make a pass for a guest, and print its link and code.",
        discussion: """
              cardea guests invite Plumber --door front-door --from 14:00 --until 18:00 --uses 2
              cardea guests invite "Aunt Ida" --door front-door --door garage --for 2d
              cardea guests invite Cleaner --door front-door --days tue,fri --between 9-12 --for 26w
            """)

    @Argument(help: "The name of the guest.")
    var name: String
    @Option(help: ArgumentHelp("A door that the pass opens, by id or name. Can be repeated.", valueName: "door"), completion: .doors)
    var door: [String]
    @Option(help: ArgumentHelp("An allowed action, such as door.open or light.on. Can be repeated. Default: opening.", valueName: "action"))
    var action: [String] = []
    @OptionGroup var pass: InviteOptions
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !door.isEmpty else { throw ValidationError("Add a door: --door front-door.") }
    }

    func run(in context: CommandContext) async throws {
        let clock = try await context.clock()
        let grants = try GrantResolver.grants(doors: door, actions: action, among: await context.devices())
        let body = try pass.body(name: name, grants: grants, zone: clock.zone, now: clock.now)
        let waiting = """
            The pass for \(name) is queued for a day and opens nothing yet. When the house can be reached, run `cardea sync`, then \
            `cardea guests code` for its code. You may need `cardea step-up` first.
            """
        try await context.sendOrQueue(.invite(body), waiting: waiting) { client, key in
            try await client.guests.invite(body, key: key)
        } text: { guest in
            try GuestText(clock).sentence(guest) + "\n"
                + InvitationText(link: guest.link, code: guest.pairingCode, codeUntil: guest.pairingExpiresAt).text(
                    clock, qr, context.output)
        }
    }
}
