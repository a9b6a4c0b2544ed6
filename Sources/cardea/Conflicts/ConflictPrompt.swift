import CardeaModel
import CardeaSync
import Foundation

/// Shows both versions, and asks for each decision that the options leave open.
struct ConflictPrompt {
    let conflict: Conflict
    let prompt: Prompt
    let output: Output

    func decide(_ side: ConflictResolveCommand.Side?, _ wishes: [ParsedFieldChoice]) throws -> ConflictDecision {
        var decision = try ConflictDecision(conflict)
        for wish in wishes { decision.choose(wish.field, wish.value) }
        if let side { decision.choose(side) }
        guard !decision.undecided.isEmpty else { return decision }
        guard prompt.isInteractive else { throw Self.undecidedError(decision) }
        try show()
        if side == nil, wishes.isEmpty, let side = try askSide() {
            decision.choose(side)
        }
        for one in decision.undecided { decision.choose(one.member, try askField(one.member, one.mine, one.theirs)) }
        return decision
    }

    private static func undecidedError(_ decision: ConflictDecision) -> CommandLineError {
        let fields = decision.undecided.map(\.member).joined(separator: ", ")
        return .usage("Add --mine or --theirs, or decide each field with --set FIELD=VALUE. Still open: \(fields).")
    }

    private func show() throws { output.note(try ConflictText(conflict).full(output.style) + "\n") }

    /// Nil if the person wants to decide for each field.
    private func askSide() throws -> ConflictResolveCommand.Side? {
        while true {
            switch try prompt.line("Keep (m)ine, (t)heirs, or decide (e)ach field").lowercased() {
            case "m", "mine": return .mine
            case "t", "theirs": return .theirs
            case "e", "each": return nil
            default: output.note("Type m, t or e. Ctrl-C changes nothing.")
            }
        }
    }

    private func askField(_ member: String, _ mine: JSONValue, _ theirs: JSONValue) throws -> String {
        let style = output.style
        let (here, elsewhere) = (style.green(ConflictText.text(mine)), style.red(ConflictText.text(theirs)))
        output.note("\(style.bold(ConflictText.name(member))): here \(here), elsewhere \(elsewhere)")
        let typed = try prompt.line("(m)ine, (t)heirs, or type a new value")
        return ["m": "mine", "t": "theirs"][typed.lowercased()] ?? typed
    }
}

/// Two versions of one thing, in words.
struct ConflictText {
    private let conflict: Conflict

    init(_ conflict: Conflict) { self.conflict = conflict }

    /// The fields in which the versions differ.
    func differences(_ style: TerminalStyle) throws -> String {
        let rows = try conflict.differences.map { [Self.name($0.member), Self.text($0.mine), Self.text($0.theirs)] }
        return Table("WHAT", "HERE", "ELSEWHERE", rows: rows).text(style)
    }

    /// Both versions in full: equal fields once, different ones twice.
    func full(_ style: TerminalStyle) throws -> String {
        let different = Set(try conflict.differences.map(\.member))
        let (mine, theirs) = (try conflict.localApplied, conflict.remote)
        guard case .object(let members) = mine else { return try differences(style) }
        let width = members.keys.map { Self.name($0).count }.max() ?? 0
        let lines = members.keys.sorted().flatMap { member -> [String] in
            let name = TextWidth.fit(Self.name(member), width)
            let (here, elsewhere) = (Self.text(mine[member] ?? .null), Self.text(theirs[member] ?? .null))
            guard different.contains(member) else { return [style.dim("  \(name)  \(here)")] }
            return ["* \(name)  here:      \(style.green(here))", "  \(TextWidth.fit("", width))  elsewhere: \(style.red(elsewhere))"]
        }
        let head = "\(style.bold(conflict.local.name)) (\(conflict.local.subject.kind.rawValue)); * marks fields changed here and elsewhere"
        return ([head] + lines).joined(separator: "\n")
    }

    static func name(_ member: String) -> String { member.replacingOccurrences(of: "_", with: " ") }
    static func text(_ value: JSONValue) -> String { QueueEntryText.text(value).map(TextWidth.printable) ?? "–" }
}
