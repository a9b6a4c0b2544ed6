import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaNFC
import CardeaSecurity

struct TagTapCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap", abstract: "Do what a tag does, as whoever is signed in: read at the desk, or by its link.",
        discussion: """
            Says first what would happen and as whom, and asks, but where the house leaves it to the touch. A button's countdown runs first:
            Ctrl-C takes the tap back. Nothing is ever sent later: without a connection, nothing happens.
            A link that the house does not take is on record, and an older one than was believed raises the alarm that there may be a copy.

              cardea tags tap
              cardea tags tap https://house.example/t/3fKq… --yes
            """)

    @Argument(help: "A tag's link; without one, the tag on the reader is read.")
    var link: String?
    @OptionGroup var readerOptions: ReaderOptions
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let link = try await tappedLink(context)
        let look = try await client.tags.preview(link)
        guard look.reason == nil, let action = look.action else {
            let refused = TapRequest.refusal(look.reason ?? "refused", look.message ?? "The tap would come to nothing.")
            // A preview does not report an old link or a copy, so it is sent as a tap. A refusal that may be temporary is not: the tap was
            // not confirmed.
            if TapRequest.isRetryable(refused) { throw refused }
            return try await Self.show(try await TapRequest.submit(link, client), context)
        }
        let who = try await context.usesAPIToken ? "the program whose token this is" : client.people.me().name
        if look.atOnce || yes {
            context.output.progress("\(action.title), as \(who)…")
        } else {
            try context.prompt.confirm("Press \(action.title) as \(who)?", beforehand: false)
        }
        if action.countdown > 0 {
            context.output.note("\(action.title) in \(action.countdown) s. Ctrl-C takes it back.")
            try await Task.sleep(for: .seconds(action.countdown))
        }
        // If a touch was enough a moment ago and is not now, the house says so; no confirmation is assumed.
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
            guard let link = there.link else { throw CommandLineError.refused("malformed", "There is no link on this tag.") }
            read = link
        }
        guard (1...TagLink.maximumLength).contains(read.utf8.count) else {
            throw CommandLineError.refused("malformed", "This is no link of a tag.")
        }
        return read
    }
}
