import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct TagTestCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Do what a tap does, without a tag: make a link that is good once, and tap it.",
        discussion: """
            The button does what it does.

              cardea tags test "Hall light"
            """)

    @Argument(help: "The button, by id or whole title.", completion: .buttons)
    var button: String
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let button = try await sitting.button(button, for: "tags test")
        let link = try await client.tags.add(AddTagBody(kind: .live, buttonID: button.buttonID))
        sitting.output.progress("\(button.title)…")
        let answer = try await client.tags.tap(link.url)
        try Self.check(answer)
        try await sitting.output.show(answer) { "\(button.title): done." }
    }

    /// Throws where it was not done, or nobody knows.
    private static func check(_ answer: TapAnswer) throws {
        guard answer.accepted else {
            throw Failure.refused(answer.reason ?? "refused", answer.message ?? "The tap came to nothing.")
        }
        let message = answer.message
        switch answer.outcome.flatMap(CommandStatus.init) {
        case .confirmed: return
        case .unknown, nil: throw Failure(status: .unknown, code: "outcome_unknown", message: message ?? WishWords.plain.unknown)
        case .accepted, .dispatching: throw Failure(status: .tryLater, code: "waiting", message: message ?? WishWords.plain.waiting)
        case .failed, .expired:
            throw Failure.refused(answer.reason ?? "action_execution_failed", message ?? WishWords.plain.failed(answer.reason))
        }
    }
}
