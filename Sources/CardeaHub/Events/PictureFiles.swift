import CardeaSecurity
import Dispatch
import Foundation

/// The pictures on the disk: two files for each event, sealed by that event's own key, so that only the hub can read them.
///
/// Files are written before the row that refers to them and deleted after it. Files left by a crash in between are deleted at the start.
final class PictureFiles: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case whole, thumbnail
    }

    private let folder: URL
    /// File access blocks, and the cooperative pool has only one thread for each core.
    private let queue = DispatchQueue(label: "cardea.pictures", attributes: .concurrent)

    init(folder: URL) throws {
        self.folder = folder
        try PrivateFile(folder.appending(path: "any")).prepareFolder()
    }

    /// Writes both to the disk, and returns their size in bytes.
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

    /// nil if the file is missing, or was changed.
    func read(_ kind: Kind, of id: String, under key: SealingKey) async throws -> Data? {
        try await onDisk { [self] in
            guard let sealed = try PrivateFile(url(kind, id)).read(upTo: 16 << 20) else { return nil }
            do { return try key.open(sealed, for: Self.sealingLabel(kind, id)) } catch { return nil }
        }
    }

    /// The events whose files all exist.
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
                // Deletes the folder only if it is empty.
                rmdir(url(.whole, id).deletingLastPathComponent().path)
            }
        }
    }

    /// Deletes files that no event refers to: half a picture, or one whose event was never written, or was deleted.
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

    /// The first digits of an event's ID are its time: a folder holds about five hours.
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
