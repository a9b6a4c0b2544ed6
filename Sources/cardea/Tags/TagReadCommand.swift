import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaNFC
import CardeaSecurity

struct TagReadCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "What is on a tag, which of the house's it is, and what a tap would do.",
        discussion: """
            Nothing is done, and nothing is used up. What is on it needs no house; the rest is the house's to say.

              cardea tags read
            """)

    @OptionGroup var readerOptions: ReaderOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let there = try await readerOptions.withTag(context.output) { laid in TagReadAnswer(laid, try await laid.tag.read()) }
        let answer = try await Self.addingHouseInfo(there, context)
        try await context.output.show(answer) { answer.text }
    }

    /// Adds the house's information on the tag, if the house can be asked.
    private static func addingHouseInfo(_ there: TagReadAnswer, _ context: CommandContext) async throws -> TagReadAnswer {
        guard let link = there.link, (1...TagLink.maximumLength).contains(link.utf8.count), context.hasResidentAccess else { return there }
        let client = try context.client()
        do {
            var known = there
            known.look = try await client.tags.preview(link)
            // The tag's dynamic part follows its link.
            let url = String(PastedText.tagLink(link).prefix { $0 != "?" })
            known.tag = try await client.tags.list().tags.first { $0.url == url }
            return known
        } catch {
            guard error.isHubUnreachable else { throw error }
            context.output.note("\(client.hub.host) cannot be reached. Whose tag it is only the house knows.")
            return there
        }
    }
}
