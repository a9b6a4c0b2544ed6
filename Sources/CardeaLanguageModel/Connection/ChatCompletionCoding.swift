import CardeaModel
import Foundation

/// Requests to an endpoint compatible with OpenAI's chat completions, and the parsed answers.
enum ChatCompletionCoding {
    /// Octets of an answer at most: a sentence, and the JSON around it.
    static let responseLimit = 64 << 10

    /// - Parameter longest: tokens of an answer; what goes on is cut off there and paid for no further.
    static func requestBody(_ messages: JSONValue, of model: String, longest: Int) throws -> String {
        try CanonicalJSON.encode([
            "model": .string(model), "max_tokens": .number(Double(longest)), "temperature": 0, "stream": false, "messages": messages,
        ])
    }

    /// nil without content, or in an unknown format.
    static func content(in answer: Data) -> String? {
        (try? JSONDecoder().decode(CompletionResponse.self, from: answer))?.choices.first?.message.content
    }

    private struct CompletionResponse: Decodable {
        struct Choice: Decodable {
            struct Message: Decodable {
                /// null if it would rather not.
                let content: String?
            }

            let message: Message
        }

        let choices: [Choice]
    }
}
