import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

struct ExplainCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain why a person or guest may or may not control a device.",
        discussion: """
              cardea explain --guest Plumber front-door unlock
              cardea explain --person ben garage open --at "tomorrow 9:00"
            """)

    @Option(help: "The guest, by id or name.", completion: .guests)
    var guest: String?
    @Option(help: "The resident, by id or name.")
    var person: String?
    @Argument(help: "The device, by id or name.", completion: .devices)
    var device: String
    @Argument(help: "The action: unlock, open, on, …")
    var action: String
    @Option(help: "The time: 14:00, \"tomorrow 9:00\". Default: now.")
    var at: String?
    @Flag(help: "Explain for a request from outside the house's network.")
    var remote = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (guest == nil) != (person == nil) else { throw ValidationError("Add --guest or --person, one of them.") }
    }

    func run(in context: CommandContext) async throws {
        let clock = try await context.clock()
        let look = try await context.query(.why(question(context, clock)))
        try await context.output.show(look) { try await Self.text(look.answer, context.clock(look)) }
    }

    private func question(_ context: CommandContext, _ clock: HouseClock) async throws -> ExplainBody {
        let moment = try at.map { text in
            guard let date = TimeParser(zone: clock.zone, now: clock.now).date(text, .beginning) else {
                throw CommandLineError.usage("--at \(text) is not a time. Write 14:00, \"tomorrow 9:00\", fri, 2026-11-21.")
            }
            return date
        }
        var body = ExplainBody(deviceID: try await context.device(device).deviceID, action: action, at: moment)
        if let guest { body.guestID = try await context.guest(guest).guestID }
        if let person { body.personID = try await context.person(person).personID }
        if remote { body.remote = true }
        return body
    }

    private static func approvalText(_ answerers: ApproverGroup?) -> String {
        answerers.map { "This needs approval. \($0.sentence)" } ?? "A resident must approve first."
    }

    private static func text(_ answer: ExplainAnswer, _ clock: HouseClock) -> String {
        let refusal = answer.reason.map {
            APIError(status: 403, code: "forbidden", message: $0, details: answer.details.merging(["reason": .string($0)]) { $1 })
        }
        let sentence =
            switch answer.decision {
            case "allow": "Yes, this is allowed."
            case "ask": approvalText(answer.details["answered_by"]?.string.flatMap(ApproverGroup.init(rawValue:)))
            default: "No. " + (refusal.map(RefusalText(clock).sentence) ?? "This is not allowed.")
            }
        let checks = answer.checks.map { check in
            "  \(check.passed ? "yes" : "no ")  \(check.check.replacingOccurrences(of: "_", with: " "))"
                + (check.detail.map { ": \($0)" } ?? "")
        }
        return ([sentence] + checks).joined(separator: "\n")
    }
}
