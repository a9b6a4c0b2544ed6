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

    @OptionGroup var hub: HubOption
    @Option(help: "Who signs in; left out, the one of last time.")
    var username: String?
    @Flag(help: "Read the password from standard input, which happens by itself where that is no terminal.")
    var passwordStdin = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = sitting.client(of: try await hub.address(sitting: sitting))
        let username = try username ?? sitting.kept.username ?? sitting.prompt.line("Name")
        try await client.sessions.login(username: username, password: sitting.prompt.secret("Password"))
        let house = try await sitting.settle(client, username: username)
        try await sitting.output.show(house) { "Signed in to \(house.name) as \(username)." }
    }
}
