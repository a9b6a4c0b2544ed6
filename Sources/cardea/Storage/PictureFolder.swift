import CardeaSecurity
import Foundation

/// Pictures that a terminal could not draw, as files for this person alone: the latest few, and none for long.
struct PictureFolder: Sendable {
    /// The maximum number of files.
    static let maxFiles = 32
    /// Seconds for which one is.
    static let maxAge: TimeInterval = 7 * 86_400

    let folder: URL

    /// - Parameter home: the folder for this person's data.
    init(home: URL) { folder = home.appendingPathComponent("pictures", isDirectory: true) }

    /// Stores a picture in place of an earlier one with that name, and returns its path.
    func store(_ jpeg: Data, as name: String, at now: Date = Date()) throws(PrivateFile.FileError) -> String {
        let file = PrivateFile(folder.appendingPathComponent("\(Self.safeFileName(name)).jpg"))
        try file.prepareFolder()
        try file.replace(with: jpeg)
        deleteExpired(at: now)
        return file.url.path
    }

    /// Deletes all pictures.
    func clear() throws {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        try FileManager.default.removeItem(at: folder)
    }

    /// Converts a name from the house to a safe file name: it leads to no other folder and contains no control sequences.
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

    /// Deletes pictures beyond the limits. A file that cannot be deleted now is tried again with the next picture.
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
