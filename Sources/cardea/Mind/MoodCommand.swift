import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSync
import Foundation

struct MoodCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "mood", abstract: "Show the mood of the house, and its causes.",
        discussion: """
            The mood has four values, each shown with its causes. A value fades when its causes are gone.

              cardea mood
              cardea mood --evidence

            If a part of the mind fails repeatedly, the mind enters safe mode: mood, learning and notifications of unusual events stop
            until a person who may change settings ends it. Answers, automations and danger notifications keep working.

              cardea mood --leave-safe-mode
            """)

    @Flag(help: "List the events and sensor values behind each cause.")
    var evidence = false
    @Flag(help: "End safe mode.")
    var leaveSafeMode = false
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        if leaveSafeMode {
            let mind = try context.client().mind
            for loop in try await mind.loops().loops { _ = try await mind.trigger(loop.id, leavingSafeMode: true) }
        }
        let look = try await context.query(.mood)
        if look.asOf == nil, look.answer.saflaLoops == 0 {
            for loop in try await context.client().mind.loops().loops { context.output.note(Self.status(of: loop)) }
        }
        try await context.output.show(look) {
            Self.text(look.answer, context.output, grounds: evidence ? try await Self.evidenceLines(of: look, context) : nil)
        }
    }

    /// The events behind the causes, each as one line, by event id. An event that the house cannot be asked for or no longer keeps has only
    /// its id.
    private static func evidenceLines(of look: QueryResult<ConsciousnessAnswer>, _ context: CommandContext) async throws -> [String: String]
    {
        let state = look.answer.emotionalState
        let events = Set((state.causes + (state.fading ?? [])).flatMap(\.events))
        guard look.asOf == nil, !events.isEmpty else { return [:] }
        let memories = try context.client().mind.memories
        let clock = try await context.clock(look)
        var lines: [String: String] = [:]
        for id in events.sorted() {
            do {
                let memory = try await memories.get(id)
                lines[id] = "\(clock.short(memory.createdAt))  \(memory.content)  \(id)"
            } catch {
                guard case .api(let problem) = error, problem.status == 404 else { throw error }
            }
        }
        return lines
    }

    static func status(of loop: LoopAnswer) -> String {
        if let why = loop.safeMode {
            "The mind is in safe mode, without mood and learning: \(why). End it: cardea mood --leave-safe-mode"
        } else {
            "The mind is \(loop.status.replacing("_", with: " ")) now."
        }
    }

    private static let names = ["happiness", "worry", "boredom", "excitement"]

    /// - Parameter grounds: a line for each event; nil if the evidence was not requested.
    static func text(_ status: ConsciousnessAnswer, _ output: Output, grounds: [String: String]? = nil) -> String {
        let state = status.emotionalState
        let bars = zip(names, state.emotionVector).map { name, value in [name, bar(value), percent(value)] }
        let perceived = "The house is \(status.status). Awareness: \(percent(status.awarenessLevel))."
        let (why, passing) = (rows(state.causes, grounds), rows(state.fading ?? [], grounds))
        var parts = [perceived, Table("MOOD", "", "", rows: bars).text(output)]
        if !why.isEmpty { parts.append(Table("MOOD", "CHANGE", "CAUSE", rows: why).text(output)) }
        if !passing.isEmpty { parts.append(Table("MOOD", "CHANGE", "PAST CAUSE, FADING", rows: passing).text(output)) }
        if why.isEmpty, passing.isEmpty { parts.append("There is no particular cause.") }
        return parts.joined(separator: "\n\n")
    }

    /// One row for each feeling that a cause changes, and below them its evidence.
    private static func rows(_ causes: [CauseAnswer], _ grounds: [String: String]?) -> [[String]] {
        folded(causes).flatMap { cause -> [[String]] in
            let moved = zip(names, cause.shares).filter { abs($0.1) >= 0.005 }.map { name, share in
                [name, (share < 0 ? "-" : "+") + percent(abs(share)), cause.words]
            }
            guard let grounds, !moved.isEmpty else { return moved }
            return moved + cause.events.map { ["", "", "  " + (grounds[$0] ?? $0)] }
        }
    }

    /// Forty new devices are one reason.
    private static func folded(_ causes: [CauseAnswer]) -> [(words: String, shares: [Double], events: [String])] {
        let (new, tail) = (causes.filter { $0.causeID.hasPrefix("new:") }, " is new here.")
        let others = causes.filter { !$0.causeID.hasPrefix("new:") || new.count < 3 }
            .map { (words: $0.words, shares: $0.shares, events: $0.events) }
        guard new.count >= 3 else { return others }
        let named = new.prefix(2).map { $0.words.hasSuffix(tail) ? String($0.words.dropLast(tail.count)) : $0.words }
        let shares = names.indices.map { place in new.reduce(0) { $0 + ($1.shares.indices.contains(place) ? $1.shares[place] : 0) } }
        return others + [(words: "\(named.joined(separator: ", ")) and \(new.count - 2) more are new here.", shares: shares, events: [])]
    }

    private static func bar(_ value: Double) -> String {
        let full = Int((min(max(value, 0), 1) * 20).rounded())
        return String(repeating: "█", count: full) + String(repeating: "░", count: 20 - full)
    }

    private static func percent(_ value: Double) -> String { "\(Int((value * 100).rounded())) %" }
}
