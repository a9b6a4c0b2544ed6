import CardeaClient
import CardeaModel
import Foundation

/// Finds one thing by its id, its name, or a beginning that matches only one.
enum NameResolver {
    /// - Parameter exactly: the name of a command that accepts only an id or the whole name, because it removes a person or lets one in,
    ///   and must not take Ruben for Ben. The error repeats the command with the whole name of the similar one.
    static func resolve<Thing>(
        _ wanted: String, among things: [Thing], what: String, ids: (Thing) -> [String], name: (Thing) -> String, exactly: String? = nil
    ) throws -> Thing {
        if let exact = things.first(where: { ids($0).contains(wanted) }) { return exact }
        let plain = normalized(wanted)
        let ways: [(String) -> Bool] = [{ $0 == plain }, { $0.hasPrefix(plain) }, { $0.contains(plain) }]
        for fits in plain.isEmpty ? [] : ways.prefix(exactly == nil ? ways.count : 1) {
            let found = things.filter { thing in ([name(thing)] + ids(thing)).contains { fits(normalized($0)) } }
            if found.count == 1, let only = found.first { return only }
            if found.count > 1 {
                throw CommandLineError.usage("\"\(wanted)\" matches several: \(listed(found, ids, name)). Use the id.")
            }
        }
        var there = things.isEmpty ? "There are none that you can see." : "Available: \(listed(things, ids, name))."
        if let exactly, !plain.isEmpty {
            let alike = things.filter { normalized(name($0)).contains(plain) }
            if alike.count == 1, let only = alike.first {
                let count = things.count { normalized(name($0)) == normalized(name(only)) }
                // A name with a leading dash would be taken for an option.
                let sure = count == 1 && !name(only).hasPrefix("-") ? name(only) : ids(only).first ?? ""
                there = "\(name(only)) is: \(exactly) \(shellQuoted(sure))"
            } else if !alike.isEmpty {
                there = "Similar: \(listed(alike, ids, name)). Use the full name or the id."
            }
        }
        throw CommandLineError.refused("not_found", "No \(what) is called \"\(wanted)\". \(there)")
    }

    /// The thing whose id begins with `beginning`.
    static func resolveByID<Thing>(_ beginning: String, among things: [Thing], id: (Thing) -> String, none: String) throws -> Thing {
        let found = things.filter { id($0).hasPrefix(beginning.lowercased()) }
        guard found.count == 1, let only = found.first else {
            throw CommandLineError.refused(
                "not_found", found.isEmpty ? none : "The id matches several: \(DoorSummaryText.list(found.map(id))).")
        }
        return only
    }

    /// Quoted for a shell.
    private static func shellQuoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return isPlain ? text : "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }

    private static func listed<Thing>(_ things: [Thing], _ ids: (Thing) -> [String], _ name: (Thing) -> String) -> String {
        var shown = things.prefix(8).map { thing in "\(name(thing)) (\(ids(thing).first ?? ""))" }
        if things.count > 8 { shown.append("\(things.count - 8) more") }
        return DoorSummaryText.list(shown)
    }

    /// Case, accents, dashes and spaces are ignored in comparisons.
    private static func normalized(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    }
}
