import Foundation
import Testing

/// Names of files and types by CONTRIBUTING's style page, checked on the sources.
@Suite("Type names in the sources")
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

    @Test("No type name contains a banned word")
    func typeNames() throws {
        let refused: Set = [
            "Carriage", "Courier", "Deed", "Desk", "Eyes", "Faculties", "Gathering", "Handover", "Hands", "Happening", "Harness", "Heard",
            "Kept", "Laid", "Looks", "Nobody", "Notary", "Parcel", "Patience", "Posture", "Roster", "Said", "Senses", "Shown", "Sight",
            "Sitting", "Standing", "Strangers", "Surroundings", "Taken", "Telegram", "Telling", "Thing", "Told", "Trail", "Tries",
            "Viewing",
            "Wiring", "Words", "Written",
        ]
        let files = try Self.sources().filter { !$0.folder.hasSuffix("Migrations") }
        for file in files {
            for name in Self.typeNames(in: file) {
                let found = Self.words(of: name).intersection(refused)
                #expect(found.isEmpty, "\(file.folder)/\(file.name).swift: \(name); CONTRIBUTING says how types are named")
            }
        }
        #expect(files.count > 1000)
    }

    /// A type that a file declares at its top level.
    private struct TopLevelType {
        let name: String
        let lineCount: Int
    }

    /// The types that a file declares at its top level. `swift format` ensures that only they begin a line, and that their closing brace
    /// ends them.
    private static func topLevelTypes(in file: SourceFile) -> [TopLevelType] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol"]
        let modifiers: Set<Substring> = ["public", "package", "internal", "final", "indirect", "nonisolated"]
        var types: [TopLevelType] = []
        for (index, line) in file.lines.enumerated() {
            guard let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "/") else { continue }
            let parts = line.split(separator: " ").drop { modifiers.contains($0) || $0.hasPrefix("@") }
            guard let kind = parts.first, kinds.contains(kind), let declared = parts.dropFirst().first else { continue }
            let end = line.hasSuffix("}") ? index : file.lines[index...].firstIndex { $0 == "}" } ?? index
            types.append(
                TopLevelType(name: String(declared.prefix { $0.isLetter || $0.isNumber || $0 == "_" }), lineCount: end - index + 1))
        }
        return types
    }

    /// The capitalised identifiers of a file, without comments.
    private static func capitalisedIdentifiers(in file: SourceFile) -> Set<Substring> {
        var found: Set<Substring> = []
        for line in file.lines where !line.utf8.isEmpty {
            var start: String.UTF8View.Index?
            let bytes = line.utf8
            var index = bytes.startIndex
            guard let code = bytes.firstIndex(where: { $0 != UInt8(ascii: " ") }), !bytes[code...].starts(with: "//".utf8) else { continue }
            func end(_ word: String.UTF8View.Index) {
                if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[word]) { found.insert(line[word..<index]) }
            }
            while index != bytes.endIndex {
                switch bytes[index] {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"):
                    start = start ?? index
                default:
                    if let word = start { end(word) }
                    start = nil
                }
                index = bytes.index(after: index)
            }
            if let word = start { end(word) }
        }
        return found
    }

    @Test("A long type, or one used outside its folder, has its own file")
    func typesAreInTheirFiles() throws {
        let longest = 40
        // Bodies of one capability share a file there, and so do the statements of one migration.
        let sharedFiles: Set = ["CommandTypes"]
        let files = try Self.sources().filter { !$0.folder.hasPrefix("CardeaAPI") && !$0.folder.hasSuffix("Migrations") }
        var folders: [Substring: Set<String>] = [:]
        for file in try Self.sources() {
            for name in Self.capitalisedIdentifiers(in: file) { folders[name, default: []].insert(file.folder) }
        }
        var checked = 0
        for file in files where !sharedFiles.contains(file.name) {
            for type in Self.topLevelTypes(in: file) where file.name != type.name && !file.name.hasPrefix("\(type.name)+") {
                let others = folders[Substring(type.name), default: []].subtracting([file.folder])
                #expect(
                    type.lineCount <= longest && others.isEmpty,
                    "\(type.name) belongs in \(file.folder)/\(type.name).swift, not in \(file.name).swift")
                checked += 1
            }
        }
        #expect(checked > 0)
    }
}
