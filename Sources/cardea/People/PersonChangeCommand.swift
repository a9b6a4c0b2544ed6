import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct PersonChangeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change a resident's name, role or permissions.",
        discussion: """
              cardea people change ben --role admin
              cardea people change ben --invites-guests
              cardea people change ben --disabled
            """)

    @Argument(help: "The person, by id or full name.")
    var person: String
    @Option(help: "The new name.")
    var name: String?
    @Option(help: "owner, admin or member.")
    var role: String?
    @Flag(inversion: .prefixedNo, help: "Allow or forbid inviting guests.")
    var invitesGuests: Bool?
    @Flag(inversion: .prefixedNo, help: "Disable or enable the person's access.")
    var disabled: Bool?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard name != nil || role != nil || invitesGuests != nil || disabled != nil else {
            throw ValidationError("Nothing to change. Add --name, --role, --invites-guests or --disabled.")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let body = ChangePersonBody(name: name, role: role, canInviteGuests: invitesGuests, disabled: disabled)
        let person = try await client.person(person, exactly: "cardea people change")
        let answer = try await client.people.change(person.personID, body)
        try await context.output.show(answer) {
            let renamed = person.name == answer.name ? "" : "\(person.name) is now called \(answer.name). "
            return "\(renamed)\(answer.name) is \(PersonText.role(answer)), \(answer.status.rawValue)."
        }
    }
}
