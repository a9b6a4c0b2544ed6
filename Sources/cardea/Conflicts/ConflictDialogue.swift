import CardeaModel
import CardeaSync
import Foundation

/// Shows somebody both versions, and asks for what was not said beforehand.
struct ConflictDialogue {
    let conflict: Conflict
    let prompt: Prompt
    let output: Output

    func decide(_ side: ConflictResolveCommand.Side?, _ wishes: [ConflictWish]) throws -> ConflictDecision {
        var decision = try ConflictDecision(conflict)
        for wish in wishes { decision.choose(wish.field, wish.value) }
        if let side { decision.choose(side) }
        guard !decision.open.isEmpty else { return decision }
        guard prompt.isInteractive else { throw Self.unsaid(decision) }
        try show()
        if side == nil, wishes.isEmpty, let side = try whole() {
            decision.choose(side)
        }
        for one in decision.open { decision.choose(one.member, try field(one.member, one.mine, one.theirs)) }
        return decision
    }

    private static func unsaid(_ decision: ConflictDecision) -> Failure {
        let fields = decision.open.map(\.member).joined(separator: ", ")
        return .usage("Which stays? Add --mine or --theirs, or say each with --set FIELD=VALUE. Still open: \(fields).")
    }

    private func show() throws { output.note(try ConflictWords(conflict).full(output.ink) + "\n") }

    /// Nil where somebody wants to say it for each field.
    private func whole() throws -> ConflictResolveCommand.Side? {
        while true {
            switch try prompt.line("Keep (m)ine, (t)heirs, or decide (e)ach field").lowercased() {
            case "m", "mine": return .mine
            case "t", "theirs": return .theirs
            case "e", "each": return nil
            default: output.note("Type m, t or e; Ctrl-C leaves everything as it is.")
            }
        }
    }

    private func field(_ member: String, _ mine: JSONValue, _ theirs: JSONValue) throws -> String {
        let ink = output.ink
        let (here, elsewhere) = (ink.green(ConflictWords.text(mine)), ink.red(ConflictWords.text(theirs)))
        output.note("\(ink.bold(ConflictWords.name(member))): here \(here), elsewhere \(elsewhere)")
        let typed = try prompt.line("(m)ine, (t)heirs, or type what it becomes")
        return ["m": "mine", "t": "theirs"][typed.lowercased()] ?? typed
    }
}

/// Two versions of one thing, in words.
struct ConflictWords {
    private let conflict: Conflict

    init(_ conflict: Conflict) { self.conflict = conflict }

    /// What they disagree about.
    func differences(_ ink: Ink) throws -> String {
        let rows = try conflict.differences.map { [Self.name($0.member), Self.text($0.mine), Self.text($0.theirs)] }
        return Table("WHAT", "HERE", "ELSEWHERE", rows: rows).text(ink)
    }

    /// Both in full: once what is the same in them, and twice what is not.
    func full(_ ink: Ink) throws -> String {
        let different = Set(try conflict.differences.map(\.member))
        let (mine, theirs) = (try conflict.mineApplied, conflict.theirs)
        guard case .object(let members) = mine else { return try differences(ink) }
        let width = members.keys.map { Self.name($0).count }.max() ?? 0
        let lines = members.keys.sorted().flatMap { member -> [String] in
            let name = TextWidth.fit(Self.name(member), width)
            let (here, elsewhere) = (Self.text(mine[member] ?? .null), Self.text(theirs[member] ?? .null))
            guard different.contains(member) else { return [ink.dim("  \(name)  \(here)")] }
            return ["* \(name)  here:      \(ink.green(here))", "  \(TextWidth.fit("", width))  elsewhere: \(ink.red(elsewhere))"]
        }
        let head = "\(ink.bold(conflict.mine.name)) (\(conflict.mine.subject.kind.rawValue)); * is what was changed here and elsewhere"
        return ([head] + lines).joined(separator: "\n")
    }

    static func name(_ member: String) -> String { member.replacingOccurrences(of: "_", with: " ") }
    static func text(_ value: JSONValue) -> String { QueueWords.text(value).map(TextWidth.printable) ?? "–" }
}
