import ArgumentParser
import CardeaAPI
import CardeaClient

struct PersonInvitationLinkCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Make a new invitation link for a person who has not joined yet.",
        discussion: "  cardea people link Ben")

    @Argument(help: "The person, by id or full name.")
    var person: String
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let answer = try await client.people.newInvitation(client.person(person, exactly: "cardea people link").personID)
        try await context.output.show(answer) { try await PersonInviteCommand.text(answer, client, qr, context) }
    }
}
