import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaNDEF
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
    @OptionGroup var at: ReaderOptions
    @Flag(help: "Do not ask whether this is meant.")
    var yes = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let link = try await wanted(sitting)
        let look = try await client.tags.look(link)
        guard look.reason == nil, let action = look.action else {
            let refused = TapReport.refused(look.reason ?? "refused", look.message ?? "The tap would come to nothing.")
            // A look tells nobody of an old link or a copy, so it is handed in. What may be good in a moment is not: nobody has said yes.
            if TapReport.mayPass(refused) { throw refused }
            return try await Self.show(try await TapReport.tap(link, client), sitting)
        }
        let who = try await sitting.asksAsProgram ? "the program whose token this is" : client.people.me().name
        if look.atOnce || yes {
            sitting.output.progress("\(action.title), as \(who)…")
        } else {
            try sitting.prompt.confirm("Press \(action.title) as \(who)?", beforehand: false)
        }
        if action.countdown > 0 {
            sitting.output.note("\(action.title) in \(action.countdown) s. Ctrl-C takes it back.")
            try await Task.sleep(for: .seconds(action.countdown))
        }
        // Where the touch was enough a moment ago and is not now, the house says so, and nobody has said yes for anyone.
        try await Self.show(try await TapReport.tap(link, isConfirmed: yes || !look.atOnce, client), sitting)
    }

    private static func show(_ answer: TapAnswer, _ sitting: Sitting) async throws {
        try await sitting.output.show(answer) { "\(answer.action?.title ?? "The tap"): done." }
    }

    /// The link that is tapped: the one that was named, or the one on the tag that lies on the reader.
    private func wanted(_ sitting: Sitting) async throws -> String {
        let read: String
        if let link {
            read = link
        } else {
            let there = try await at.withTag(sitting.output) { laid in ReadTag(laid, try await laid.tag.read()) }
            guard let link = there.link else { throw Failure.refused("malformed", "There is no link on this tag.") }
            read = link
        }
        guard (1...TagLink.longest).contains(read.utf8.count) else { throw Failure.refused("malformed", "This is no link of a tag.") }
        return read
    }
}
