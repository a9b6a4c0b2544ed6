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
            throw TapReport.refused(look.reason ?? "refused", look.message ?? "The tap would come to nothing.")
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
        let answer = try await TapReport.tap(link, isConfirmed: yes || !look.atOnce, client)
        try await sitting.output.show(answer) { "\(action.title): done." }
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
