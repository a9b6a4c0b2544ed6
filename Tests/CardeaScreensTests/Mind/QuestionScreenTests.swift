import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaScreens
import CardeaSync
import CardeaTestSupport
import Foundation
import Testing

@Suite("Question screen", .timeLimit(.minutes(10)))
struct QuestionScreenTests {
    @Test("A question is answered; offline it is queued beside known states, and its late answer is shown until dismissed")
    func late() async throws {
        try await withHouse { @MainActor house, line in
            let phone = try await TestPhone.signedIn(to: house, over: line)
            try await phone.replica.sync()
            let screen = QuestionScreen(replica: phone.replica, environment: TestPhone.environment(house.clock))
            await screen.ask("is the front door locked?")
            guard case .answered(let answer) = screen.status else {
                Issue.record("it shows \(String(describing: screen.status))")
                return
            }
            #expect(!answer.response.isEmpty && !screen.isSending)
            phone.transport.setCondition(.unreachable)
            await screen.ask("is the Hall light on?")
            guard case .queued(let text, let known, let asOf) = screen.status else {
                Issue.record("it shows \(String(describing: screen.status))")
                return
            }
            #expect(text.contains("The question is kept") && known.count == 1 && known.first?.hasPrefix("Hall light: ") == true)
            #expect(asOf == house.clock.now)
            phone.transport.setCondition(.clear)
            let status = SyncStatusScreen(replica: phone.replica, environment: TestPhone.environment(house.clock))
            await status.sync()
            await screen.refresh()
            let late = try #require(screen.lateAnswers.first)
            #expect(late.query == "is the Hall light on?" && status.state.content?.answers == [late])
            #expect(status.state.content?.ended.isEmpty == true && status.lastReport?.answered == 1)
            await screen.dismiss(late)
            await status.sync()
            #expect(screen.lateAnswers.isEmpty)
            guard case .empty = status.state else {
                Issue.record("it shows \(status.state)")
                return
            }
        }
    }
}
