import ArgumentParser
import CardeaAPI
import CardeaClient
import Foundation

struct PassCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "pass", abstract: "Your passes: what they open, until when, how often; without the house, as it last described them.",
        discussion: "  cardea pass")

    @OptionGroup var output: OutputOptions

    func run(in sitting: Sitting) async throws {
        try await Self.show(sitting)
    }

    /// What `--json` prints.
    struct Passes: Encodable {
        let passes: [GuestPassAnswer]
    }

    static func show(_ sitting: Sitting) async throws {
        guard !sitting.kept.passes.isEmpty else { throw sitting.kept.notSignedIn }
        let looks = try await sitting.kept.passes.reversed().asyncMap { try await look(at: $0, sitting) }
        try await remember(looks.compactMap(\.pass), sitting)
        try await sitting.output.show(Passes(passes: looks.compactMap(\.pass))) {
            looks.map(\.text).joined(separator: "\n\n")
        }
    }

    /// For when the house cannot be reached.
    private static func remember(_ passes: [GuestPassAnswer], _ sitting: Sitting) async throws {
        let fresh = Dictionary(passes.map { ($0.guestID, $0) }, uniquingKeysWith: { first, _ in first })
        guard !fresh.isEmpty else { return }
        try await sitting.file.update { kept in
            var passes = kept.passes
            for place in passes.indices { if let pass = fresh[passes[place].pass.guestID] { passes[place].pass = pass } }
            kept.passes = passes
        }
    }

    /// A pass as it stands now, or why the house will not say. Where it is the only one, that is the whole answer.
    private static func look(at kept: KeptPass, _ sitting: Sitting) async throws -> (pass: GuestPassAnswer?, text: String) {
        let refusal: APIError
        do throws(GuestAccessError) {
            let pass = try await sitting.client(of: kept.hub).guestAccess.pass(token: kept.token.secret)
            return (pass, PassWords.text(pass))
        } catch {
            if case .client(let problem) = error, problem.saysHouseIsAway {
                sitting.output.note("\(kept.hub.host) cannot be reached. This is how the pass stood when the house last described it.")
                return (kept.pass, PassWords.text(kept.pass))
            }
            guard case .refused(let answer) = error, sitting.kept.passes.count > 1 else { throw error }
            refusal = answer
        }
        let clock = HouseClock(zone: Sitting.zone(kept.pass.timeZone), now: Date())
        return (nil, "\(kept.pass.houseName): \(RefusalWords(clock).sentence(for: refusal))")
    }
}

extension Sequence {
    /// One after the other: a house is not asked everything at once.
    fileprivate func asyncMap<Other>(_ transform: (Element) async throws -> Other) async throws -> [Other] {
        var others: [Other] = []
        for element in self { others.append(try await transform(element)) }
        return others
    }
}
