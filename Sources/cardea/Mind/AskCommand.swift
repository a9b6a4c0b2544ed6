import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel

struct AskCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Ask the house something in plain words.",
        discussion: """
            It answers from what it knows, and does nothing by answering: how to have done what it suggests is said below the answer.

              cardea ask who opened the back door yesterday evening
              cardea ask "is anything still on upstairs?"
              cardea ask "why are you worried?" --evidence
              cardea ask turn off the lights in the study

            What was said last is what "it" and "there" mean, for a quarter of an hour.
            """)

    @Argument(help: "The question.")
    var words: [String]
    @Flag(help: "Name the happenings that the answer rests on.")
    var evidence = false
    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        let client = try sitting.client()
        let answer = try await client.mind.ask(words.joined(separator: " "), in: "terminal")
        try await sitting.output.show(answer) { Self.text(answer, withEvidence: evidence) }
    }

    static func text(_ answer: HouseReplyAnswer, withEvidence: Bool) -> String {
        var lines = [answer.response]
        if !answer.choices.isEmpty { lines.append("You may mean: " + answer.choices.joined(separator: ", ")) }
        lines += answer.suggestedActions.map { "  \(Self.command($0))" }
        if withEvidence, !answer.context.events.isEmpty {
            let more = answer.context.moreEvents.map { ", and \($0) more" } ?? ""
            lines.append("It rests on " + answer.context.events.joined(separator: ", ") + more + ".")
        }
        return lines.joined(separator: "\n")
    }

    /// What to type to have it done.
    private static func command(_ action: SuggestedAction) -> String {
        if let scene = action.sceneID { return "cardea scenes run \(scene)" }
        if let words = action.memory { return "cardea memory add \"\(words)\"" }
        guard let device = action.deviceID, let verb = action.action else { return action.words }
        var command = "cardea devices control \(device) \(verb)"
        if let value = action.value?.number { command += " --value \(StateWords.number(value))" }
        if let entity = action.entityID { command += " --entity \(entity)" }
        return command
    }
}
