import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// Formats attempts and their results, one to a line.
struct ActivityText {
    private let clock: HouseClock

    init(_ clock: HouseClock) {
        self.clock = clock
    }

    func table(_ entries: [ActivityEntry], who: Bool, _ output: Output) -> String {
        guard !entries.isEmpty else { return "No commands yet." }
        let rows = entries.map { entry in
            let what = [entry.action, entry.deviceName ?? entry.deviceID].compactMap { $0 }.joined(separator: " ")
            return [clock.short(entry.at)] + (who ? [Self.actorName(entry)] : []) + [what, Self.outcome(entry)]
        }
        return (who ? Table("WHEN", "WHO", "WHAT", "OUTCOME", rows: rows) : Table("WHEN", "WHAT", "OUTCOME", rows: rows)).text(output)
    }

    /// The name of the actor, with the automation, program, button or tag that was used.
    static func actorName(_ entry: ActivityEntry) -> String {
        let who = entry.who.name ?? entry.who.kind
        return entry.via.map { "\(who), by \($0.kind == "api_token" ? "program" : $0.kind) \($0.name ?? "(deleted)")" } ?? who
    }

    static func outcome(_ entry: ActivityEntry) -> String {
        let reason = entry.reason.map { ": \($0.replacingOccurrences(of: "_", with: " "))" } ?? ""
        switch entry.result {
        case "unknown": return "outcome unknown" + reason
        default: return entry.result.replacingOccurrences(of: "_", with: " ") + reason
        }
    }
}
