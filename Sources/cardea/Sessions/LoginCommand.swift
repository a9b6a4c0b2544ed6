import ArgumentParser
import CardeaAPI
import CardeaClient
import Foundation

struct LoginCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Sign in to a house.",
        discussion: """
            The password is asked for and not shown; from a script it is read from standard input. Without --hub the house is looked for on
            this network; whether the key it has is yours, you say, or --pin does.

              cardea login --hub https://house.example --username ada
              pass show house | cardea login --username ada
            """)

    @OptionGroup var hub: HubOptions
    @Option(help: "Who signs in; left out, the one of last time.")
    var username: String?
    @Flag(help: "Read the password from standard input, which happens by itself where that is no terminal.")
    var passwordStdin = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = context.client(of: try await hub.address(context: context))
        let username = try username ?? context.credentials.username ?? context.prompt.line("Name")
        try await client.sessions.login(username: username, password: context.prompt.secret("Password"))
        let house = try await context.storeSignIn(client, username: username)
        try await context.output.show(house) { "Signed in to \(house.name) as \(username)." }
    }
}
