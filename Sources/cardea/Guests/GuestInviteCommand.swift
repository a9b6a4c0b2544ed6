import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

struct GuestInviteCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make a pass, and print its link and code.",
        discussion: """
              cardea guests invite Plumber --door front-door --from 14:00 --until 18:00 --uses 2
              cardea guests invite "Aunt Ida" --door front-door --door garage --for 2d
              cardea guests invite Cleaner --door front-door --days tue,fri --between 9-12 --for 26w
            """)

    @Argument(help: "Who it is for.")
    var name: String
    @Option(help: ArgumentHelp("What it opens, by id or name; may be said several times.", valueName: "door"), completion: .doors)
    var door: [String]
    @Option(help: ArgumentHelp("What may be done there, like door.open or light.on; left out, opening.", valueName: "action"))
    var action: [String] = []
    @OptionGroup var pass: InviteOptions
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !door.isEmpty else { throw ValidationError("Which door? Say --door front-door.") }
    }

    func run(in context: CommandContext) async throws {
        let clock = try await context.clock()
        let grants = try GrantResolver.grants(doors: door, actions: action, among: await context.devices())
        let body = try pass.body(name: name, grants: grants, zone: clock.zone, now: clock.now)
        let waiting = """
            The pass for \(name) is made when it can be, within a day; it opens nothing before. Run `cardea sync` then, and \
            `cardea guests code` for its code. The house may ask for a `cardea step-up` first.
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
