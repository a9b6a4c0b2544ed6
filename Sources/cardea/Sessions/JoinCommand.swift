import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

struct JoinCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Take up an invitation into a household.",
        discussion: """
            Paste the invitation link when asked. From a script, standard input has two lines: the link, and the new password.

              cardea join --username ben
            """)

    @OptionGroup var hub: HubOption
    @Option(help: "The name you will sign in with.")
    var username: String?
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let prompt = sitting.prompt
        let pasted = try PastedLink(prompt.line("Invitation link"), page: "join")
        let token = try pasted.token(.invitation)
        let client = sitting.client(of: try await hub.address(in: pasted, sitting: sitting))
        let username = try username ?? (prompt.isInteractive ? prompt.line("Name to sign in with", fallback: NSUserName()) : NSUserName())
        try await client.sessions.accept(invitation: token, username: username, password: prompt.newPassword())
        let house = try await sitting.settle(client, username: username)
        try await sitting.output.show(house) { "Welcome to \(house.name), \(username)." }
    }
}
