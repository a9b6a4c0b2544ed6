import CardeaModel
import Foundation

/// Makes pictures that are safe to keep and to show of a stranger's bytes. Whoever fills this reads them where nothing else can be reached.
public protocol PictureTranscoder: Sendable {
    /// Decodes a JPEG and writes it anew, without anything that stood beside the picture in it.
    ///
    /// - Parameter jpeg: its header has been looked at.
    func renditions(of jpeg: Data) async throws(PictureError) -> PictureRenditions
}

/// A few pictures are made at a time, and a few more wait: each takes a processor for a moment.
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

    /// The place goes to whoever waits longest.
    private func release() {
        if waiting.isEmpty { freeSlots += 1 } else { waiting.removeFirst().resume() }
    }
}
