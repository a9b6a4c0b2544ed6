import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Delayed questions API", .timeLimit(.minutes(10)))
struct DelayedQueryAPITests {
    private static let path = "/api/v1/consciousness/query"

    @Test("A delayed question is answered without suggestions or context; an invalid `asked_at` is rejected")
    func late() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            func asked(_ query: String) async throws -> TestAPIClient.Answer {
                let body = #"{"query":"\#(query)","context":{"conversation":"one","asked_at":"2026-11-21T08:00:00Z"}}"#
                return try await ask(.post, Self.path, body)
            }

            let wish = try await asked("turn on the hall light")
            #expect(wish.status == 200 && wish.body["suggested_actions"] == [] && wish.body["what_if"] == .null)
            #expect(wish.body["response"]?.string?.contains("nothing is done now") == true, "\(wish.body)")
            let note = try await asked("remember that the bins go out on Tuesday")
            #expect(note.body["suggested_actions"] == [] && note.body["response"]?.string?.contains("nothing is done now") == true)
            let question = try await asked("is the front door locked?")
            #expect(question.body["response"]?.string?.contains("front door") == true, "\(question.body)")
            #expect(house.doorBackend.backendCommands.isEmpty)
            // "It" is not the front door of that question.
            let after = try await ask(.post, Self.path, #"{"query":"lock it","context":{"conversation":"one"}}"#)
            #expect(after.body["suggested_actions"] == [], "\(after.body)")

            for bad in [#""yesterday""#, "7", "{}", "true"] {
                let refused = try await ask(.post, Self.path, #"{"query":"is anything on?","context":{"asked_at":\#(bad)}}"#)
                #expect(refused.status == 400 && refused.code == "validation_error", "\(bad) \(refused.body)")
            }
            let now = try await ask(.post, Self.path, #"{"query":"turn on the hall light","context":{"asked_at":null}}"#)
            #expect(now.body["suggested_actions"]?.array.isEmpty == false, "\(now.body)")
        }
    }
}
