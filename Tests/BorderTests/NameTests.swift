import Foundation
import Testing

/// Names of files and types, as CONTRIBUTING's page on style has them. They are read from the sources.
@Suite("Names in the sources")
struct NameTests {
    private struct SourceFile {
        let folder: String
        let name: String
        let lines: [Substring]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// All Swift files under `Sources`.
    private static func sources() throws -> [SourceFile] {
        let sources = root.appending(path: "Sources")
        let walk = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var files: [SourceFile] = []
        for case let file as URL in walk where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let folder = file.deletingLastPathComponent().path.dropFirst(sources.path.count + 1)
            files.append(
                SourceFile(
                    folder: String(folder), name: file.deletingPathExtension().lastPathComponent,
                    lines: text.split(separator: "\n", omittingEmptySubsequences: false)))
        }
        return files
    }

    /// The names of the types that a file declares, nested ones too.
    private static func typeNames(in file: SourceFile) -> [String] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        let modifiers: Set<Substring> = [
            "public", "package", "internal", "fileprivate", "private", "open", "final", "indirect", "nonisolated",
        ]
        return file.lines.compactMap { line in
            let parts = line.split(separator: " ").drop { modifiers.contains($0) || $0.hasPrefix("@") }
            guard let kind = parts.first, kinds.contains(kind), let declared = parts.dropFirst().first else { return nil }
            let name = String(declared.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
            return name.first?.isUppercase == true ? name : nil
        }
    }

    /// The words of a name in camel case: `DeviceDesk` has two.
    private static func words(of name: String) -> Set<String> {
        var words: [String] = []
        for character in name {
            if character.isUppercase || words.isEmpty { words.append("") }
            words[words.count - 1].append(character)
        }
        return Set(words)
    }

    @Test("No type is named after furniture, body parts, persons of a household or participles")
    func typeNames() throws {
        let refused: Set = [
            "Carriage", "Courier", "Deed", "Desk", "Eyes", "Faculties", "Gathering", "Handover", "Hands", "Happening", "Harness", "Heard",
            "Kept", "Laid", "Looks", "Nobody", "Notary", "Parcel", "Patience", "Posture", "Roster", "Said", "Senses", "Shown", "Sight",
            "Sitting", "Standing", "Strangers", "Surroundings", "Taken", "Telegram", "Telling", "Thing", "Told", "Trail", "Tries",
            "Viewing",
            "Wiring", "Words", "Written",
        ]
        // Schemas of the published contract, and a migration, are named by what is stored or sent.
        let published: Set = ["NearbyThingAnswer", "PhoneStandingAnswer", "SaidData"]
        let files = try Self.sources().filter { !$0.folder.hasSuffix("Migrations") }
        for file in files {
            for name in Self.typeNames(in: file) where !published.contains(name) {
                let found = Self.words(of: name).intersection(refused)
                #expect(found.isEmpty, "\(file.folder)/\(file.name).swift: \(name); CONTRIBUTING says how types are named")
            }
        }
        #expect(files.count > 1000)
    }
}
