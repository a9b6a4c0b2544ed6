import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// A question to the house in plain words, also while it cannot be reached.
@MainActor @Observable
public final class QuestionScreen {
    public enum Standing: Sendable {
        case asking
        case answered(HouseReplyAnswer)
        /// It waits for the house.
        ///
        /// - Parameters:
        ///   - text: says so, and until when.
        ///   - known: devices that it names, as they were at `asOf`.
        case queued(text: String, known: [String], asOf: Date?)
        case notAnswered(Problem)
    }

    /// The state of the last question; nil before the first.
    public private(set) var standing: Standing?
    /// The answers to questions that waited, each with its question and how late it is. Nothing is suggested with them.
    public private(set) var lateAnswers: [LateAnswer] = []

    private let replica: Replica
    private let surroundings: Surroundings
    /// The name under which the house remembers what "it" and "there" mean.
    private let conversation: String

    public init(replica: Replica, surroundings: Surroundings = .live) {
        self.replica = replica
        self.surroundings = surroundings
        conversation = surroundings.newKey()
    }

    public var isAsking: Bool {
        if case .asking = standing { true } else { false }
    }

    /// Asks, one question at a time: while one is asked, another is not heard.
    public func ask(_ words: String) async {
        guard !isAsking else { return }
        standing = .asking
        do {
            switch try await replica.ask(words, in: conversation) {
            case .now(let answer): standing = .answered(answer)
            case .queued(let entry, let known):
                let clock = await replica.clock(at: surroundings.now())
                let until = entry.notAfter.map { " before \(clock.short($0))" } ?? ""
                standing = .queued(
                    text: "The house cannot be reached. The question is kept, and is asked when the house can be reached\(until).",
                    known: known.value.map { $0.words(clock) }, asOf: known.asOf)
            }
        } catch {
            standing = Problem(error).map { .notAnswered($0) }
        }
    }

    /// Looks for late answers. A view does so when it appears, and after each look at the house.
    public func refresh() async {
        do { lateAnswers = try await replica.lateAnswers() } catch { standing = Problem(error).map { .notAnswered($0) } ?? standing }
    }

    /// Strikes a late answer that was read.
    public func strike(_ answer: LateAnswer) async {
        do { try await replica.strike([answer]) } catch { standing = Problem(error).map { .notAnswered($0) } ?? standing }
        await refresh()
    }
}
