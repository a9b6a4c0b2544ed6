import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaNFC
import CardeaSecurity

struct TagReadCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Read a tag: its content, its entry in the house, and the effect of a tap.",
        discussion: """
            Nothing is pressed and no counter changes. The content is shown even if the house cannot be reached.

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
            context.output.note("\(client.hub.host) cannot be reached, so the tag's entry in the house is not shown.")
            return there
        }
    }
}
