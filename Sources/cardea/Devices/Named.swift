import CardeaClient
import CardeaModel
import Foundation

/// Finding one of many by what a person calls it: its id, its name, or a beginning that fits only one.
enum Named {
    static func find<Thing>(
        _ wanted: String, among things: [Thing], what: String, ids: (Thing) -> [String], name: (Thing) -> String
    ) throws -> Thing {
        if let exact = things.first(where: { ids($0).contains(wanted) }) { return exact }
        let plain = fold(wanted)
        let ways: [(String) -> Bool] = [{ $0 == plain }, { $0.hasPrefix(plain) }, { $0.contains(plain) }]
        for fits in plain.isEmpty ? [] : ways {
            let found = things.filter { thing in ([name(thing)] + ids(thing)).contains { fits(fold($0)) } }
            if found.count == 1, let only = found.first { return only }
            if found.count > 1 {
                throw Failure.usage("\"\(wanted)\" may mean more than one: \(listed(found, ids, name)). Say which by its id.")
            }
        }
        let there = things.isEmpty ? "There is none that you can see." : "There is: \(listed(things, ids, name))."
        throw Failure.refused("not_found", "No \(what) is called \"\(wanted)\". \(there)")
    }

    private static func listed<Thing>(_ things: [Thing], _ ids: (Thing) -> [String], _ name: (Thing) -> String) -> String {
        var shown = things.prefix(8).map { thing in "\(name(thing)) (\(ids(thing).first ?? ""))" }
        if things.count > 8 { shown.append("\(things.count - 8) more") }
        return HouseSentence.list(shown)
    }

    /// Case, accents, dashes and spaces are not what tells things apart.
    private static func fold(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
    }
}
