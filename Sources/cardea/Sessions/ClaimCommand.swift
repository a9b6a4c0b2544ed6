import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

struct ClaimCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim", abstract: "Claim a new house as its owner.",
        discussion: """
            Paste the claim link or token that the hub printed when it started. In a script, standard input has two lines: the link or
            token, and the password.

              cardea claim
              cardea claim --hub http://127.0.0.1:8080 --username ada --house "Linden Street 14"
            """)

    @OptionGroup var hub: HubOptions
    @Option(help: "The user name to sign in with.")
    var username: String?
    @Option(help: "Your name, as shown to others.")
    var name: String?
    @Option(name: .customLong("house"), help: "The name of the house.")
    var houseName: String?
    @Option(help: "The house's time zone, such as Europe/Berlin. Default: the hub's.")
    var timeZone: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let prompt = context.prompt
        let pasted = try ParsedLink(prompt.line("Claim link or token"), page: "claim")
        let token = try pasted.token(.claim)
        let client = context.client(of: try await hub.address(in: pasted, context: context))
        let username = try username ?? (prompt.isInteractive ? prompt.line("Name to sign in with", fallback: NSUserName()) : NSUserName())
        let houseName = try houseName ?? (prompt.isInteractive ? prompt.line("Name of the house", fallback: "Home") : "Home")
        let body = ClaimBody(
            claimToken: token.reveal(), username: username, password: try prompt.newPassword().reveal(), houseName: houseName,
            timeZone: timeZone, name: name)
        try await client.sessions.claim(body)
        let house = try await context.storeSignIn(client, username: username)
        try await context.output.show(house) {
            """
            You are now the owner of \(house.name), \(username). Its time zone is \(house.timeZone).
            Next: run `cardea status`, or invite a guest with `cardea guests invite NAME --door front-door`.
            """
        }
    }
}
