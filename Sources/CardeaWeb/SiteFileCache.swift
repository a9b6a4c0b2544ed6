import Foundation
import Synchronization

/// The web app's files as browsers need them. Each is made at its first request, so that a starting hub, perhaps on a small board and
/// before a door, spends no time on it.
final class SiteFileCache: Sendable {
    private let sources: [String: Data]
    private let cache = Mutex<(files: [String: Site.File], version: String?)>(([:], nil))

    init(_ sources: [String: Data]) { self.sources = sources }

    var paths: Set<String> { Set(sources.keys) }

    func file(_ path: String) throws -> Site.File? {
        if let file = cache.withLock({ $0.files[path] }) { return file }
        guard let source = sources[path] else { return nil }
        let bytes = minified(source, path)
        let gzipped = try Gzip.compress(bytes)
        let file = Site.File(
            bytes: bytes, gzipped: gzipped.count < bytes.count ? gzipped : nil, contentType: Self.contentType(path),
            tag: "\"\(ContentHash.of([bytes]))\"")
        cache.withLock { $0.files[path] = file }
        return file
    }

    /// Changes with any file; pages carry it as `{{version}}` so that a cached shell knows it is old.
    private var version: String {
        cache.withLock { made in
            if let version = made.version { return version }
            let version = ContentHash.of(sources.sorted { $0.key < $1.key }.map { Data($0.key.utf8) + $0.value })
            made.version = version
            return version
        }
    }

    private func minified(_ source: Data, _ path: String) -> Data {
        switch path.split(separator: ".").last {
        case "html": Data(String(decoding: source, as: UTF8.self).replacingOccurrences(of: "{{version}}", with: version).utf8)
        case "js": Data(IdentifierShortener.shorten(ScriptMinifier.minify(Self.minified(source))).utf8)
        case "css": Data(Self.minifiedStyles(inlinedStyles(source)).utf8)
        default: source
        }
    }

    /// A stylesheet with its imports in place: a browser needs one request, and common parts are compressed once.
    private func inlinedStyles(_ source: Data) -> Data {
        let lines = String(decoding: source, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let whole = lines.map { line -> String in
            let name = line.wholeMatch(of: /@import "\.\.\/([A-Za-z]+\/[a-z]+\.css)";/)?.output.1
            guard let name, let sheet = sources["assets/\(name)"] else { return String(line) }
            return String(decoding: sheet, as: UTF8.self)
        }
        return Data(whole.joined(separator: "\n").utf8)
    }

    /// A script or a style sheet as browsers need it: without comments on lines of their own, without indentation, and without line ends
    /// that mean nothing. No text may run over such an end, and no comment may follow code on its line.
    private static func minified(_ code: Data) -> String {
        var lines = String(decoding: code, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        var index = 0
        while index < lines.count {
            let text = lines[index].trimmingCharacters(in: .whitespaces)
            var end = index
            if text.hasPrefix("/*") {
                while end < lines.count - 1, !lines[end].contains("*/") { end += 1 }
            }
            // A line with code stays as it is.
            if text.hasPrefix("//") || text.hasPrefix("/*") && lines[end].hasSuffix("*/") {
                for line in index...end { lines[line] = "" }
            }
            index = end + 1
        }
        let full = lines.map { $0.drop { $0 == " " || $0 == "\t" } }.filter { !$0.isEmpty }
        return full.reduce(into: "") { whole, line in
            if let last = whole.last, !"{(,;[".contains(last), let first = line.first, !")]}.?:&|".contains(first) { whole += "\n" }
            whole += line
        }
    }

    /// The same of a sheet of styles, in which spaces beside brackets, semicolons and what joins selectors say nothing either, nor do those
    /// behind colons and commas.
    private static func minifiedStyles(_ code: Data) -> String {
        minified(code).replacing(/\s*([{};>])\s*/) { $0.output.1 }.replacing(/([:,])\s+/) { $0.output.1 }.replacing(";}", with: "}")
    }

    private static func contentType(_ path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        case "json": "application/json"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
