import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct InterviewTalkCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "talk", abstract: "Begin a conversation about your devices, or go on with the one that is open.",
        discussion: """
            Say what there is in your own words. The house asks for what it needs, and never what it knows; `done` ends it, `pause` leaves it
            for later, `skip` goes on to the next question, `status` says what it has understood so far.

              cardea interview
              > There are two Hue lamps over the sofa and a Yale lock at the back.
            """)

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let begun = try await client.interviews.start()
        guard context.prompt.isInteractive, !context.output.isJSON else {
            return try await context.output.show(begun) { begun.aiMessage + "\nAnswer with: cardea interview say \"…\"" }
        }
        context.output.writeLine(begun.aiMessage)
        var seen = begun.version
        while let words = context.prompt.readMessage() {
            guard !words.isEmpty else { continue }
            switch await Self.send(words, to: begun.interviewID, seen: seen, client) {
            case .success(let reply):
                context.output.writeLine(InterviewText.text(reply, context.output))
                seen = reply.version
                guard reply.status == "active" else { return }
            case .failure(.api(let problem)) where problem.code == "precondition_failed":
                // It was continued elsewhere: the input was an answer to another question.
                let status = try await client.interviews.status(begun.interviewID)
                let last = try await client.interviews.conversation(begun.interviewID).turns.last { $0.speaker == "house" }
                context.output.note("You went on with it at another place. The house said last:")
                context.output.writeLine(last?.text ?? "")
                seen = status.version
                guard status.status == "active" else { return }
            case .failure(let problem): throw problem
            }
        }
        context.output.note("Go on whenever you like: cardea interview")
    }

    private static func send(
        _ words: String, to id: String, seen: Int, _ client: CardeaClient
    ) async -> Result<InterviewReplyAnswer, ClientError> {
        do throws(ClientError) {
            return .success(try await client.interviews.sendMessage(words, to: id, seen: seen))
        } catch { return .failure(error) }
    }
}

struct InterviewSayCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "say", abstract: "Say one thing in the conversation that is open, or begin one with it.",
        discussion: """
              cardea interview say "There are two Hue lamps over the sofa."
              cardea interview say done
            """)

    @Argument(help: "What there is, or an answer.")
    var words: [String]
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let words = words.joined(separator: " ")
        let waiting = "The house is told when it can be reached, within a day; `cardea interview status` shows then what it understood."
        try await context.sendOrQueue(.tellInterview(words), waiting: waiting) { client, key in
            // Starting resumes a paused interview.
            let begun = try await client.interviews.start(key: key.map { "\($0)-start" })
            return try await client.interviews.sendMessage(words, to: begun.interviewID, seen: begun.version, key: key)
        } text: { reply in
            InterviewText.text(reply, context.output)
        }
    }
}
