import ArgumentParser
import CardeaAPI
import CardeaClient
import Foundation

struct StepUpCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "step-up", abstract: "Confirm your password for actions that need it, for five minutes.",
        discussion: """
            Needed to invite guests and people, change roles, remove people and make tokens, unless you have just signed in. The terminal
            asks for the password without showing it; in a script, it reads the password from standard input.

              cardea step-up
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let answer = try await client.sessions.stepUp(password: context.prompt.secret("Password"))
        try await context.output.show(answer) { "Confirmed for five minutes." }
    }
}
