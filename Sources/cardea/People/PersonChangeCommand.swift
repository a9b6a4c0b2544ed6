import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct PersonChangeCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change a name, a role, or what somebody may.",
        discussion: """
              cardea people change ben --role admin
              cardea people change ben --invites-guests
              cardea people change ben --disabled
            """)

    @Argument(help: "The person, by id or whole name.")
    var person: String
    @Option(help: "A new name.")
    var name: String?
    @Option(help: "owner, admin or member.")
    var role: String?
    @Flag(inversion: .prefixedNo, help: "Whether they may let guests in.")
    var invitesGuests: Bool?
    @Flag(inversion: .prefixedNo, help: "Whether they are shut out for the time being.")
    var disabled: Bool?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard name != nil || role != nil || invitesGuests != nil || disabled != nil else {
            throw ValidationError("Nothing to change: say --name, --role, --invites-guests or --disabled.")
        }
    }

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let body = ChangePersonBody(name: name, role: role, canInviteGuests: invitesGuests, disabled: disabled)
        let person = try await client.person(person, exactly: "cardea people change")
        let answer = try await client.people.change(person.personID, body)
        try await context.output.show(answer) {
            let renamed = person.name == answer.name ? "" : "\(person.name) is called \(answer.name) now. "
            return "\(renamed)\(answer.name) is \(PersonText.role(answer)), \(answer.status.rawValue)."
        }
    }
}
