import CardeaAutomations
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaMindAdapter
import Foundation
import Logging

/// Questions to a house with a hundred doors and four thousand commands. People wait for the answer: 95 of 100 arrive within 200 ms.
enum AnswerBenchmark {
    private static let doors = 100
    private static let commands = 40
    private static let rounds = 50
    private static let questions = [
        "is door 3 locked?", "which doors are unlocked?", "who unlocked door 7 today?", "when was door 12 last unlocked?",
        "how often was door 5 unlocked this week?", "what happened in the last hour?", "is anything wrong?", "how do you feel?",
        "what would it cost to heat all night?", "colourless green ideas sleep furiously",
    ]

    static func run(_ report: inout Report) async throws {
        print("Questions to a house of \(doors) doors and \(doors * commands) commands, one after the other")
        let times = try await DoorCommandBenchmark.inHouse(doors: doors) { hub, owner in try await measure(hub, owner) }.sorted()
        let p95 = times[times.count * 95 / 100]
        report.figure("half of the answers within", times[times.count / 2] * 1000, "ms")
        report.figure("95 of 100 within", p95 * 1000, "ms")
        report.ratio("answer_within_200_ms", 0.2 / p95)
    }

    /// Seconds of each answer.
    private static func measure(_ hub: Hub, _ owner: Principal) async throws -> [Double] {
        for door in 0..<doors { try await DoorCommandBenchmark.press(hub, "door-\(door)", owner, times: commands) }
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        let mind = try Mind(of: hub, automations: try Automations(of: hub, logger: logger), logger: logger)
        let visibility = RequesterVisibility(of: try await hub.mindFeed.requester(owner))
        // Each question reads one part of the events.
        for _ in 0..<20 { _ = try await mind.answer("is door 1 locked?", seenBy: visibility) }
        var times: [Double] = []
        for _ in 0..<rounds {
            for question in questions {
                let took = try await ContinuousClock().measure { _ = try await mind.answer(question, seenBy: visibility) }
                times.append(took / .seconds(1))
            }
        }
        return times
    }
}
