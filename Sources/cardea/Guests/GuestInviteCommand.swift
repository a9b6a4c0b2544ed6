import ArgumentParser
import CardeaAPI
import CardeaClient
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

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let clock = try await sitting.clock(client)
        let grants = try GrantChoice.grants(doors: door, actions: action, among: await client.devices.list().devices)
        let guest = try await client.guests.invite(pass.body(name: name, grants: grants, zone: clock.zone, now: clock.now))
        try await sitting.output.show(guest) {
            try GuestWords(clock).sentence(guest) + "\n"
                + PassCard(link: guest.link, code: guest.pairingCode, codeUntil: guest.pairingExpiresAt).text(clock, qr, sitting.output)
        }
    }
}
