import CardeaSecurity
import Dispatch
import Foundation

/// The pictures on the disk: two files for each event, sealed by that event's own key, for the hub's eyes alone.
///
/// Files come before the row that speaks of them and go after it. What a crash left between the two is swept away at the start.
final class PictureFiles: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case whole, thumbnail
    }

    private let folder: URL
    /// Files wait for the disk, and the cooperative pool has one thread for each core.
    private let queue = DispatchQueue(label: "cardea.pictures", attributes: .concurrent)

    init(folder: URL) throws {
        self.folder = folder
        try PrivateFile(folder.appending(path: "any")).prepareFolder()
    }

    /// Puts both onto the disk, and returns how many bytes they take.
    func write(_ pictures: PictureRenditions, of id: String, under key: SealingKey) async throws -> Int64 {
        try await onDisk { [self] in
            var size: Int64 = 0
            for kind in Kind.allCases {
                let bytes = kind == .whole ? pictures.whole : pictures.thumbnail
                let sealed = try key.seal(bytes, for: Self.sealingLabel(kind, id))
                let file = PrivateFile(url(kind, id))
                try file.prepareFolder()
                try file.replace(with: sealed)
                size += Int64(sealed.count)
            }
            return size
        }
    }

    /// nil where the file is gone, or is not what was written.
    func read(_ kind: Kind, of id: String, under key: SealingKey) async throws -> Data? {
        try await onDisk { [self] in
            guard let sealed = try PrivateFile(url(kind, id)).read(upTo: 16 << 20) else { return nil }
            do { return try key.open(sealed, for: Self.sealingLabel(kind, id)) } catch { return nil }
        }
    }

    /// Those whose files are all there.
    func existing(_ ids: [String]) async throws -> Set<String> {
        if ids.isEmpty { return [] }
        return try await onDisk { [self] in
            Set(ids.filter { id in Kind.allCases.allSatisfy { access(url($0, id).path, R_OK) == 0 } })
        }
    }

    func remove(_ ids: [String]) async throws {
        if ids.isEmpty { return }
        try await onDisk { [self] in
            for id in ids {
                for kind in Kind.allCases { unlink(url(kind, id).path) }
                // Only an empty folder goes.
                rmdir(url(.whole, id).deletingLastPathComponent().path)
            }
        }
    }

    /// Takes away what no event speaks of: half a picture, or one whose event was never written, or is gone.
    func sweep(keeping kept: Set<String>) async throws {
        try await onDisk { [self] in
            for shelf in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                for file in (try? FileManager.default.contentsOfDirectory(at: shelf, includingPropertiesForKeys: nil)) ?? [] {
                    let parts = file.lastPathComponent.split(separator: ".")
                    let isKept = parts.count == 2 && kept.contains(String(parts[0])) && Kind(rawValue: String(parts[1])) != nil
                    if !isKept { unlink(file.path) }
                }
                rmdir(shelf.path)
            }
        }
    }

    /// The first digits of an event's name are its time: a folder holds about five hours.
    private func url(_ kind: Kind, _ id: String) -> URL {
        let name = id.dropFirst("event_".count)
        return folder.appending(path: String(name.prefix(6))).appending(path: "\(id).\(kind.rawValue)")
    }

    private static func sealingLabel(_ kind: Kind, _ id: String) -> String { "events/\(id)/\(kind.rawValue)" }

    private func onDisk<Answer: Sendable>(_ body: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        try await withCheckedThrowingContinuation { waiting in
            queue.async { waiting.resume(with: Result(catching: body)) }
        }
    }
}
