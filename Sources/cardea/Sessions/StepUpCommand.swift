import ArgumentParser
import CardeaAPI
import CardeaClient
import Foundation

struct StepUpCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "step-up", abstract: "Say again that it is you, for the next five minutes.",
        discussion: """
            Letting guests in, inviting people, changing their roles, removing them and making tokens ask for it, unless you signed in just now.
            The password is asked for and not shown; from a script it is read from standard input.

              cardea step-up
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let answer = try await client.sessions.stepUp(password: context.prompt.secret("Password"))
        try await context.output.show(answer) { "Good for five minutes." }
    }
}
