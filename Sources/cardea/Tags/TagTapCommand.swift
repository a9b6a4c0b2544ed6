import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaNFC
import CardeaSecurity

struct TagTapCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap", abstract: "Tap a tag as the signed-in person, from the reader or by its link.",
        discussion: """
            Shows the action and your name, and asks for confirmation unless the tag policy says `at_once`. During a button's countdown,
            Ctrl-C cancels the tap. A tap is never queued: without a connection, nothing happens.
            A refused link is written to the audit log. A counter that was already used raises the alarm for a copied tag.

              cardea tags tap
              cardea tags tap https://house.example/t/3fKq… --yes
            """)

    @Argument(help: "The link of a tag. Default: read the tag on the reader.")
    var link: String?
    @OptionGroup var readerOptions: ReaderOptions
    @Flag(help: "Do not ask for confirmation.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let link = try await tappedLink(context)
        let look = try await client.tags.preview(link)
        guard look.reason == nil, let action = look.action else {
            let refused = TapRequest.refusal(look.reason ?? "refused", look.message ?? "The tap would be rejected.")
            // A preview does not report an old link or a copy, so it is sent as a tap. A refusal that may be temporary is not: the tap was
            // not confirmed.
            if TapRequest.isRetryable(refused) { throw refused }
            return try await Self.show(try await TapRequest.submit(link, client), context)
        }
        let who = try await context.usesAPIToken ? "the program of this token" : client.people.me().name
        if look.atOnce || yes {
            context.output.progress("\(action.title), as \(who)…")
        } else {
            try context.prompt.confirm("Press \(action.title) as \(who)?", beforehand: false)
        }
        if action.countdown > 0 {
            context.output.note("\(action.title) in \(action.countdown) s. Ctrl-C cancels it.")
            try await Task.sleep(for: .seconds(action.countdown))
        }
        // If a touch was enough a moment ago and is not now, the hub refuses the tap; no confirmation is assumed.
        try await Self.show(try await TapRequest.submit(link, isConfirmed: yes || !look.atOnce, client), context)
    }

    private static func show(_ answer: TapAnswer, _ context: CommandContext) async throws {
        try await context.output.show(answer) { "\(answer.action?.title ?? "The tap"): done." }
    }

    /// The tapped link: the given one, or the one on the tag on the reader.
    private func tappedLink(_ context: CommandContext) async throws -> String {
        let read: String
        if let link {
            read = link
        } else {
            let there = try await readerOptions.withTag(context.output) { laid in TagReadAnswer(laid, try await laid.tag.read()) }
            guard let link = there.link else { throw CommandLineError.refused("malformed", "This tag contains no link.") }
            read = link
        }
        guard (1...TagLink.maximumLength).contains(read.utf8.count) else {
            throw CommandLineError.refused("malformed", "This is not the link of a tag.")
        }
        return read
    }
}
