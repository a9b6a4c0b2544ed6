import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation
import Observation

/// A question to the house in plain words, also while it cannot be reached.
@MainActor @Observable
public final class QuestionScreen {
    public enum Status: Sendable {
        case sending
        case answered(HouseReplyAnswer)
        /// The question is queued for the house.
        ///
        /// - Parameters:
        ///   - text: says so, and until when.
        ///   - known: states of the devices that it names, as of `asOf`.
        case queued(text: String, known: [String], asOf: Date?)
        case failed(UserFacingError)
    }

    /// The state of the last question; nil before the first.
    public private(set) var status: Status?
    /// The answers to questions that waited, each with its question and how late it is. Nothing is suggested with them.
    public private(set) var lateAnswers: [LateAnswer] = []

    private let replica: Replica
    private let environment: ClientEnvironment
    /// The conversation id, under which the house remembers the meaning of "it" and "there".
    private let conversation: String

    public init(replica: Replica, environment: ClientEnvironment = .live) {
        self.replica = replica
        self.environment = environment
        conversation = environment.makeIdempotencyKey()
    }

    public var isSending: Bool {
        if case .sending = status { true } else { false }
    }

    /// Asks a question. While one is being asked, another is ignored.
    public func ask(_ words: String) async {
        guard !isSending else { return }
        status = .sending
        do {
            switch try await replica.ask(words, in: conversation) {
            case .answered(let answer): status = .answered(answer)
            case .queued(let entry, let known):
                let clock = await replica.houseClock(at: environment.now())
                let until = entry.notAfter.map { " before \(clock.short($0))" } ?? ""
                status = .queued(
                    text: "The house cannot be reached. The question is kept, and is asked when the house can be reached\(until).",
                    known: known.value.map { $0.text(clock) }, asOf: known.asOf)
            }
        } catch {
            status = UserFacingError(error).map { .failed($0) }
        }
    }

    /// Loads late answers. A view calls this when it appears, and after each sync.
    public func refresh() async {
        do { lateAnswers = try await replica.lateAnswers() } catch { status = UserFacingError(error).map { .failed($0) } ?? status }
    }

    /// Deletes a late answer that was read.
    public func dismiss(_ answer: LateAnswer) async {
        do { try await replica.dismiss([answer]) } catch { status = UserFacingError(error).map { .failed($0) } ?? status }
        await refresh()
    }
}
