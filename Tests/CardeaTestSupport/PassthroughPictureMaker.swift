import CardeaHub
import CardeaModel
import Foundation

/// A picture maker without a camera and without decoding.
public struct PassthroughPictureMaker: PictureTranscoder {
    public let size: Int

    public init(size: Int = 1000) { self.size = size }

    public func renditions(of jpeg: Data) async throws(PictureError) -> PictureRenditions {
        if jpeg.contains(0xEE) { throw .unreadable }
        return PictureRenditions(whole: jpeg + Data(repeating: 1, count: size), thumbnail: jpeg + Data(repeating: 2, count: size / 2))
    }
}

/// The shortest JPEG that states its size.
public let smallestJPEG = Data(
    [
        0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 32, 0, 32, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 7, 0xFF, 0xD9,
    ] as [UInt8])

/// A separate folder for as long as `body` runs.
public func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
