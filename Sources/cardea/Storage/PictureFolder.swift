import CardeaSecurity
import Foundation

/// Pictures that a terminal could not draw, as files for this person alone: the latest few, and none for long.
struct PictureFolder: Sendable {
    /// Files that are kept.
    static let maxFiles = 32
    /// Seconds for which one is.
    static let maxAge: TimeInterval = 7 * 86_400

    let folder: URL

    /// - Parameter home: the folder in which lies what is kept for this person.
    init(home: URL) { folder = home.appendingPathComponent("pictures", isDirectory: true) }

    /// Keeps a picture in place of an earlier one by that name, and says where.
    func store(_ jpeg: Data, as name: String, at now: Date = Date()) throws(PrivateFile.FileError) -> String {
        let file = PrivateFile(folder.appendingPathComponent("\(Self.safeFileName(name)).jpg"))
        try file.prepareFolder()
        try file.replace(with: jpeg)
        deleteExpired(at: now)
        return file.url.path
    }

    /// Takes all of them away.
    func clear() throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        try FileManager.default.removeItem(at: folder)
    }

    /// A name of the house as one word, whatever stands in it: it leads to no other folder and says nothing to a terminal.
    static func safeFileName(_ name: String) -> String {
        let letters = name.utf8.filter { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
        }
        let word = String(decoding: letters.prefix(80), as: UTF8.self)
        return word.isEmpty ? "picture" : word
    }

    /// What cannot be taken away now is tried again with the next picture.
    private func deleteExpired(at now: Date) {
        let files =
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.contentModificationDateKey])) ?? []
        let aged = files.map { file in
            (file, (try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate) ?? .distantPast)
        }
        let latest = aged.sorted { $0.1 > $1.1 }
        for (place, (file, madeAt)) in latest.enumerated() where place >= Self.maxFiles || now.timeIntervalSince(madeAt) > Self.maxAge {
            try? FileManager.default.removeItem(at: file)
        }
    }
}
