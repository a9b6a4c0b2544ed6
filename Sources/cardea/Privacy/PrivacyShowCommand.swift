import ArgumentParser
import CardeaAPI
import CardeaSync

struct PrivacyShowCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the data that the house keeps about you, its purpose, and how long.",
        discussion: "  cardea privacy")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let look = try await context.query(.privacy)
        try await context.output.show(look) {
            look.answer.holdings.map { part in
                "\(part.what)\(part.count.map { " (\($0))" } ?? "")\n  \(part.why)\n  Kept \(part.kept.joined(separator: "; "))."
            }.joined(separator: "\n")
        }
    }
}
