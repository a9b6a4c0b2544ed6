import Foundation

/// The web app's files, read once and kept: HTML, CSS, ES modules and icons, each also compressed at its first request.
public struct Site: Sendable {
    public struct File: Sendable {
        public let bytes: Data
        /// nil if compressing makes nothing smaller.
        public let gzipped: Data?
        public let contentType: String
        /// Changes with the content.
        public let tag: String
    }

    private let cache: SiteFileCache
    private let brotliCache: BrotliCache

    public struct MissingFilesError: Error, CustomStringConvertible {
        public let description = "The web app's files are missing beside the program: install it with its resources folder."
    }

    public init() throws {
        guard let folder = Bundle.module.url(forResource: "Site", withExtension: nil),
            let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        else { throw MissingFilesError() }
        var sources: [String: Data] = [:]
        let root = folder.standardizedFileURL.path + "/"
        for case let file as URL in walk where try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
            sources[String(file.standardizedFileURL.path.dropFirst(root.count))] = try Data(contentsOf: file)
        }
        guard sources["index.html"] != nil, sources["guest.html"] != nil else { throw MissingFilesError() }
        cache = SiteFileCache(sources)
        brotliCache = BrotliCache(cache)
    }

    /// The paths of all files: `index.html`, `guest.html`, `assets/Shell/app.js`.
    public var paths: Set<String> { cache.paths }

    /// The file as it is sent to browsers; nil if there is none. It is made at its first request.
    public func file(_ path: String) throws -> File? { try cache.file(path) }

    /// The file compressed by Brotli; nil while that is not done yet, or not worth it. The first request starts the compression of all
    /// files.
    public func brotliCompressed(_ path: String) -> Data? { brotliCache.file(path) }
}
