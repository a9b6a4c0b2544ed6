import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct AskCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask", abstract: "Ask the house a question in plain words.",
        discussion: """
            The answer changes nothing. If it suggests an action, the command for it is printed below the answer.

              cardea ask who opened the back door yesterday evening
              cardea ask "is anything still on upstairs?"
              cardea ask "why are you worried?" --evidence
              cardea ask turn off the lights in the study

            "it" and "there" refer to the previous question, for 15 minutes. If the house cannot be reached, the question is queued for a
            day; `cardea sync` sends it and prints the answer, without suggested actions.
            """)

    @Argument(help: "The question.")
    var words: [String]
    @Flag(help: "List the events that the answer is based on.")
    var evidence = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let (client, question) = (try context.client(), words.joined(separator: " "))
        guard let replica = try await context.replicaIfAvailable(of: client) else {
            return try await show(client.mind.ask(question, in: "terminal"), context)
        }
        do {
            switch try await replica.ask(question, in: "terminal") {
            case .answered(let answer): try await show(answer, context)
            case .queued(let entry, let known):
                let clock = CommandContext.clock(context.credentials)
                try await context.output.show(QueuedQuestionAnswer(entry, known, clock)) { Self.text(entry, known, clock) }
            }
        } catch let refusal as OfflineQueueError {
            throw CommandLineError(refusal)
        }
    }

    private func show(_ answer: HouseReplyAnswer, _ context: CommandContext) async throws {
        try await context.output.show(answer) { Self.text(answer, withEvidence: evidence) }
    }

    /// The text for a queued question, with the known states of the devices that it names.
    static func text(_ entry: OutboxEntry, _ known: Dated<[LastKnownState]>, _ clock: HouseClock) -> String {
        let until = entry.notAfter.map { ", before \(clock.short($0))" } ?? ""
        let waits =
            "The house cannot be reached. The question is queued and asked when it can be reached\(until). `cardea sync` prints the answer."
        guard let asOf = known.asOf, !known.value.isEmpty else { return waits }
        return ([waits, "Last known state, \(clock.spoken(asOf)):"] + known.value.map { "  \($0.text(clock))" }).joined(separator: "\n")
    }

    static func text(_ answer: HouseReplyAnswer, withEvidence: Bool) -> String {
        var lines = [answer.response]
        if !answer.choices.isEmpty { lines.append("Did you mean: " + answer.choices.joined(separator: ", ")) }
        lines += answer.suggestedActions.map { "  \(Self.command($0))" }
        if withEvidence, !answer.context.events.isEmpty {
            let more = answer.context.moreEvents.map { ", and \($0) more" } ?? ""
            lines.append("Based on " + answer.context.events.joined(separator: ", ") + more + ".")
        }
        return lines.joined(separator: "\n")
    }

    /// The command to type for the suggested action.
    private static func command(_ action: SuggestedAction) -> String {
        if let scene = action.sceneID { return "cardea scenes run \(scene)" }
        if let words = action.memory { return "cardea memory add \"\(words)\"" }
        guard let device = action.deviceID, let verb = action.action else { return action.words }
        var command = "cardea devices control \(device) \(verb)"
        if let value = action.value?.number { command += " --value \(StateText.number(value))" }
        if let entity = action.entityID { command += " --entity \(entity)" }
        return command
    }
}

/// A question that waits, as `--json` prints it.
private struct QueuedQuestionAnswer: Encodable {
    let queued: QueueEntryAnswer
    /// Devices that it names, as text, with their states as of the last contact with the house.
    let known: [String]
    @Nullable private(set) var asOf: Date?

    enum CodingKeys: String, CodingKey {
        case queued, known
        case asOf = "as_of"
    }

    init(_ entry: OutboxEntry, _ known: Dated<[LastKnownState]>, _ clock: HouseClock) {
        queued = QueueEntryAnswer(entry)
        self.known = known.value.map { $0.text(clock) }
        asOf = known.asOf
    }
}
