import Foundation
import Synchronization

/// The web app's files as small as browsers take them. It takes the better part of a second, so a thread of its own does it after the start,
/// the guest's page first; until a file is ready, it goes out gzipped.
final class Packing: Sendable {
    private final class Shelf: Sendable {
        let files = Mutex<[String: Data]>([:])
    }

    private let shelf = Shelf()

    init(_ files: [String: Site.File]) {
        let texts = files.filter { $0.value.gzipped != nil }.sorted { Self.rank($0.key) < Self.rank($1.key) }
        let thread = Thread { [shelf] in
            for (name, file) in texts {
                guard let small = Brotli.compress(file.bytes) else { continue }
                shelf.files.withLock { $0[name] = small }
            }
        }
        thread.name = "packing"
        thread.qualityOfService = .utility
        thread.start()
    }

    subscript(name: String) -> Data? { shelf.files.withLock { $0[name] } }

    /// Somebody stands before a door with a phone.
    private static func rank(_ name: String) -> Int {
        if name.contains("guest") || name.contains("GuestPage") { return 0 }
        return name.contains("Shell") || name.contains("Devices") ? 1 : 2
    }
}
