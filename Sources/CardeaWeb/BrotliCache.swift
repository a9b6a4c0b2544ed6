import Foundation
import Synchronization

/// The web app's files in the smallest encoding that browsers accept. Compressing takes most of a second, so a separate thread does it at
/// the first request for one of them, the guest's page first; until a file is ready, it is sent gzipped. A hub without browser requests
/// does not compress at all.
final class BrotliCache: Sendable {
    private let shelf: SiteFileCache
    private let compressed = Mutex<(files: [String: Data], isBegun: Bool)>(([:], false))

    init(_ shelf: SiteFileCache) { self.shelf = shelf }

    func file(_ path: String) -> Data? {
        let (file, isFirst) = compressed.withLock { packed in
            defer { packed.isBegun = true }
            return (packed.files[path], !packed.isBegun)
        }
        if isFirst { begin() }
        return file
    }

    private func begin() {
        let thread = Thread { [self] in
            for path in shelf.paths.sorted(by: { Self.rank($0) < Self.rank($1) }) {
                // A file that cannot be compressed fails when it is requested.
                guard let file = try? shelf.file(path), file.gzipped != nil, let small = Brotli.compress(file.bytes) else { continue }
                compressed.withLock { $0.files[path] = small }
            }
        }
        thread.name = "packing"
        thread.qualityOfService = .utility
        thread.start()
    }

    /// The guest's page comes first: its reader waits at a door with a phone.
    private static func rank(_ name: String) -> Int {
        if name.contains("guest") || name.contains("GuestPage") { return 0 }
        return name.contains("Shell") || name.contains("Devices") ? 1 : 2
    }
}
