import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct PersonInviteCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Invite a person into the household, and print the invitation link.",
        discussion: """
              cardea people invite Ben
              cardea people invite Cleo --role admin
            """)

    @Argument(help: "The name of the person.")
    var name: String
    @Option(help: "owner, admin or member.")
    var role = "member"
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let answer = try await client.people.invite(name: name, role: role)
        try await context.output.show(answer) { try await Self.text(answer, client, qr, context) }
    }

    static func text(_ answer: PersonInvitationAnswer, _ client: CardeaClient, _ qr: QROptions, _ context: CommandContext) async throws
        -> String
    {
        let clock = try await context.clock(client)
        let card = try InvitationText(link: answer.inviteLink, code: nil, codeUntil: nil).text(clock, qr, context.output)
        return "\(answer.person.name) may join as \(answer.person.role.rawValue), until \(clock.short(answer.expiresAt)).\n\(card)"
    }
}
