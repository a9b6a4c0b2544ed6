import Foundation
import Testing

/// The web app's modules and the names that they import from each other. A browser reports a missing name only when the page is opened.
@Suite("Web modules")
struct WebModuleTests {
    private static let site = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/CardeaWeb/Site")

    /// One list of names that a module imports from another.
    private struct Import {
        let names: [String]
        let module: String
    }

    /// All modules by their path.
    private static func modules() throws -> [String: String] {
        let walk = try #require(FileManager.default.enumerator(at: site, includingPropertiesForKeys: nil))
        var modules: [String: String] = [:]
        for case let file as URL in walk where file.pathExtension == "js" {
            modules[file.standardizedFileURL.path] = try String(contentsOf: file, encoding: .utf8)
        }
        return modules
    }

    /// The names in `{ a, b as c }`: those of the exporting module (`a`, `b`), or those that others see (`a`, `c`).
    private static func names(in list: Substring, seenFromOutside: Bool = false) -> [String] {
        list.split(separator: ",").compactMap { item in
            let words = item.split(whereSeparator: { $0.isWhitespace || $0 == ":" }).map(String.init)
            return seenFromOutside ? words.last : words.first
        }
    }

    private static func exports(of text: String) -> Set<String> {
        var found: Set<String> = []
        for line in text.split(separator: "\n") where line.hasPrefix("export ") {
            if let declared = line.firstMatch(of: /^export (?:async )?(?:function\*?|class|const|let) (\w+)/) {
                found.insert(String(declared.1))
            }
            if line.hasPrefix("export const") { found.formUnion(line.matches(of: #/(\w+) = /#).map { String($0.1) }) }
            if let list = line.firstMatch(of: /^export \{([^}]*)\}/) { found.formUnion(names(in: list.1, seenFromOutside: true)) }
        }
        return found
    }

    /// Names imported at once, or when a page is opened.
    private static func imports(of text: String) -> [Import] {
        var found: [Import] = []
        for match in text.matches(of: /import \{([^}]*)\} from "([^"]+)"/) {
            found.append(Import(names: names(in: match.1), module: String(match.2)))
        }
        for match in text.matches(of: /import\("([^"]+)"\)\.then\(\(\{([^}]*)\}\)/) {
            found.append(Import(names: names(in: match.2), module: String(match.1)))
        }
        for match in text.matches(of: /const \{([^}]*)\} = (?:[\w.]+ \? )?await import\("([^"]+)"\)/) {
            found.append(Import(names: names(in: match.1), module: String(match.2)))
        }
        for match in text.matches(of: /const \[([^\]]*)\] = await Promise\.all\(\[([^\]]*)\]\)/) {
            let lists = match.1.matches(of: /\{([^}]*)\}/).map { names(in: $0.1) }
            let paths = match.2.matches(of: /import\("([^"]+)"\)/).map { String($0.1) }
            guard lists.count == paths.count else { continue }
            for (names, path) in zip(lists, paths) { found.append(Import(names: names, module: path)) }
        }
        return found
    }

    @Test("A module exports every name that another one imports from it")
    func importedNamesAreExported() throws {
        let modules = try Self.modules()
        var exports = modules.mapValues(Self.exports)
        func path(_ module: String, from file: String) -> String {
            let base = module.hasPrefix("/") ? Self.site : URL(filePath: file).deletingLastPathComponent()
            return base.appending(path: module).standardizedFileURL.path
        }
        for (file, text) in modules {
            for match in text.matches(of: /export \* from "([^"]+)"/) {
                exports[file, default: []].formUnion(exports[path(String(match.1), from: file)] ?? [])
            }
        }
        var checked = 0
        for (file, text) in modules.sorted(by: { $0.key < $1.key }) {
            for list in Self.imports(of: text) {
                let known = try #require(exports[path(list.module, from: file)], "\(file) imports \(list.module), which does not exist")
                for name in list.names {
                    #expect(known.contains(name), "\(file) imports \(name) from \(list.module), which does not export it")
                    checked += 1
                }
            }
        }
        #expect(checked > 500)
    }
}
