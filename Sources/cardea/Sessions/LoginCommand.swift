import ArgumentParser
import CardeaAPI
import CardeaClient
import Foundation

struct LoginCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Sign in to a house.",
        discussion: """
            The terminal asks for the password without showing it; in a script, it reads the password from standard input. Without --hub,
            houses on this network are listed; you confirm the house's key, or give it with --pin.

              cardea login --hub https://house.example --username ada
              pass show house | cardea login --username ada
            """)

    @OptionGroup var hub: HubOptions
    @Option(help: "Your user name. Default: the last one used.")
    var username: String?
    @Flag(help: "Read the password from standard input. This is the default if standard input is not a terminal.")
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
