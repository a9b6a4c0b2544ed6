import ArgumentParser
import CardeaAPI
import CardeaClient
import Foundation

struct PassCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "pass", abstract: "Show your passes: doors, times and remaining uses.",
        discussion: "  cardea pass")

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        try await Self.show(context)
    }

    /// The `--json` output.
    struct PassesAnswer: Encodable {
        let passes: [GuestPassAnswer]
    }

    static func show(_ context: CommandContext) async throws {
        guard !context.credentials.passes.isEmpty else { throw context.credentials.notSignedIn }
        let looks = try await context.credentials.passes.reversed().sequentialMap { try await currentPass(at: $0, context) }
        try await updateStored(looks.compactMap(\.pass), context)
        try await context.output.show(PassesAnswer(passes: looks.compactMap(\.pass))) {
            looks.map(\.text).joined(separator: "\n\n")
        }
    }

    /// For when the house cannot be reached.
    private static func updateStored(_ passes: [GuestPassAnswer], _ context: CommandContext) async throws {
        let fresh = Dictionary(passes.map { ($0.guestID, $0) }, uniquingKeysWith: { first, _ in first })
        guard !fresh.isEmpty else { return }
        try await context.credentialStore.update { stored in
            var passes = stored.passes
            for place in passes.indices { if let pass = fresh[passes[place].pass.guestID] { passes[place].pass = pass } }
            stored.passes = passes
        }
    }

    /// The present state of a pass, or the reason why the house does not show it. If there is only one pass, the reason is the whole
    /// answer.
    private static func currentPass(at stored: StoredPass, _ context: CommandContext) async throws -> (pass: GuestPassAnswer?, text: String)
    {
        let refusal: APIError
        do throws(GuestAccessError) {
            let pass = try await context.client(of: stored.hub).guestAccess.pass(token: stored.token.secret)
            return (pass, PassText.text(pass))
        } catch {
            if case .client(let problem) = error, problem.isHubUnreachable {
                context.output.note("\(stored.hub.host) cannot be reached. This is the last known state of the pass.")
                return (stored.pass, PassText.text(stored.pass))
            }
            guard case .refused(let answer) = error, context.credentials.passes.count > 1 else { throw error }
            refusal = answer
        }
        let clock = HouseClock(zone: CommandContext.zone(stored.pass.timeZone), now: Date())
        return (nil, "\(stored.pass.houseName): \(RefusalText(clock).sentence(for: refusal))")
    }
}

extension Sequence {
    /// Sequential, so that the house does not get all requests at once.
    fileprivate func sequentialMap<Other>(_ transform: (Element) async throws -> Other) async throws -> [Other] {
        var others: [Other] = []
        for element in self { others.append(try await transform(element)) }
        return others
    }
}
