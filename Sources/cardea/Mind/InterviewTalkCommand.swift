import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync

struct InterviewTalkCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "talk", abstract: "Start a conversation about your devices, or continue the open one.",
        discussion: """
            Describe your devices in your own words, and answer the questions. `done` ends the conversation, `pause` saves it for later,
            `skip` skips a question, and `status` shows the devices found so far.

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
                context.output.note("You continued this conversation on another device. Last message:")
                context.output.writeLine(last?.text ?? "")
                seen = status.version
                guard status.status == "active" else { return }
            case .failure(let problem): throw problem
            }
        }
        context.output.note("Continue at any time: cardea interview")
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
        commandName: "say", abstract: "Send one message to the open conversation, or start one with it.",
        discussion: """
              cardea interview say "There are two Hue lamps over the sofa."
              cardea interview say done
            """)

    @Argument(help: "A description of your devices, or an answer.")
    var words: [String]
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let words = words.joined(separator: " ")
        let waiting =
            "The message is sent if the house can be reached within a day. `cardea interview status` then shows the devices found."
        try await context.sendOrQueue(.tellInterview(words), waiting: waiting) { client, key in
            // Starting resumes a paused interview.
            let begun = try await client.interviews.start(key: key.map { "\($0)-start" })
            return try await client.interviews.sendMessage(words, to: begun.interviewID, seen: begun.version, key: key)
        } text: { reply in
            InterviewText.text(reply, context.output)
        }
    }
}
