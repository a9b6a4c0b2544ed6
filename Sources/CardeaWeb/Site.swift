import Foundation

/// The web app's files, read once and kept: HTML, CSS, ES modules and icons, each also compressed.
public struct Site: Sendable {
    public struct File: Sendable {
        public let bytes: Data
        /// nil where compressing makes nothing smaller.
        public let gzipped: Data?
        public let contentType: String
        /// Changes with the content.
        public let tag: String
    }

    /// By path: `index.html`, `guest.html`, `assets/Shell/app.js`.
    public let files: [String: File]
    private let packing: Packing

    /// The file compressed by brotli; nil while that is not done yet, or not worth it.
    public func packed(_ path: String) -> Data? { packing[path] }

    /// Changes with any file; pages carry it as `{{version}}` so that a cached shell knows it is old.
    public let version: String

    public struct Missing: Error, CustomStringConvertible {
        public let description = "The web app's files are missing beside the program: install it with its resources folder."
    }

    public init() throws {
        guard let folder = Bundle.module.url(forResource: "Site", withExtension: nil),
            let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        else { throw Missing() }
        var raw: [String: Data] = [:]
        let root = folder.standardizedFileURL.path + "/"
        for case let file as URL in walk where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
            raw[String(file.standardizedFileURL.path.dropFirst(root.count))] = try Data(contentsOf: file)
        }
        guard raw["index.html"] != nil, raw["guest.html"] != nil else { throw Missing() }
        let version = Fingerprint.of(raw.sorted { $0.key < $1.key }.map { Data($0.key.utf8) + $0.value })
        self.version = version
        files = try raw.reduce(into: [:]) { files, file in
            var bytes = file.value
            if file.key.hasSuffix(".html") {
                bytes = Data(String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "{{version}}", with: version).utf8)
            }
            if file.key.hasSuffix(".js") { bytes = Data(LeanScript.of(Self.lean(bytes)).utf8) }
            if file.key.hasSuffix(".css") { bytes = Data(Self.leanStyles(bytes).utf8) }
            let gzipped = try Gzip.compress(bytes)
            files[file.key] = File(
                bytes: bytes, gzipped: gzipped.count < bytes.count ? gzipped : nil, contentType: Self.contentType(file.key),
                tag: "\"\(Fingerprint.of([bytes]))\"")
        }
        packing = Packing(files)
    }

    /// A script or a sheet of styles as a browser needs it: without comments that have lines of their own, without indentation, and without
    /// line ends where they say nothing. No text may run over such an end, and no comment stand behind code.
    private static func lean(_ code: Data) -> String {
        var lines = String(decoding: code, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        var index = 0
        while index < lines.count {
            let text = lines[index].trimmingCharacters(in: .whitespaces)
            var end = index
            if text.hasPrefix("/*") {
                while end < lines.count - 1, !lines[end].contains("*/") { end += 1 }
            }
            // What has code beside it stays as it is.
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

    /// The same of a sheet of styles, in which spaces beside brackets and semicolons say nothing either.
    private static func leanStyles(_ code: Data) -> String {
        lean(code).replacing(/\s*([{};])\s*/) { $0.output.1 }.replacing(";}", with: "}")
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
