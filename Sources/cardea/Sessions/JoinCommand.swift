import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

struct JoinCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Accept an invitation into a household.",
        discussion: """
            Paste the invitation link when asked. In a script, standard input has two lines: the link and a new password.

              cardea join --username ben
            """)

    @OptionGroup var hub: HubOptions
    @Option(help: "The user name to sign in with.")
    var username: String?
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let prompt = context.prompt
        let pasted = try ParsedLink(prompt.line("Invitation link"), page: "join")
        let token = try pasted.token(.invitation)
        let client = context.client(of: try await hub.address(in: pasted, context: context))
        let username = try username ?? (prompt.isInteractive ? prompt.line("Name to sign in with", fallback: NSUserName()) : NSUserName())
        try await client.sessions.accept(invitation: token, username: username, password: prompt.newPassword())
        let house = try await context.storeSignIn(client, username: username)
        try await context.output.show(house) { "Welcome to \(house.name), \(username)." }
    }
}
