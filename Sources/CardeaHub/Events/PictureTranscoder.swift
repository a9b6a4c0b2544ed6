import CardeaModel
import Foundation

/// Turns untrusted image data into pictures that are safe to keep and to show. Implementations decode it where nothing else can be reached.
public protocol PictureTranscoder: Sendable {
    /// Decodes a JPEG and encodes it anew, without its metadata.
    ///
    /// - Parameter jpeg: its header has been checked.
    func renditions(of jpeg: Data) async throws(PictureError) -> PictureRenditions
}

/// Limits how many pictures are transcoded at a time and how many wait: each uses a processor for a moment.
actor PictureQueue {
    private let transcoder: any PictureTranscoder
    private var freeSlots: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    static let concurrency = 2
    static let capacity = 32

    init(maker: any PictureTranscoder) {
        self.transcoder = maker
        freeSlots = Self.concurrency
    }

    func renditions(of jpeg: Data) async throws(PictureError) -> PictureRenditions {
        guard waiting.count < Self.capacity else { throw .busy }
        if freeSlots > 0 {
            freeSlots -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        defer { release() }
        return try await transcoder.renditions(of: jpeg)
    }

    /// The slot goes to the task that has waited longest.
    private func release() {
        if waiting.isEmpty { freeSlots += 1 } else { waiting.removeFirst().resume() }
    }
}
