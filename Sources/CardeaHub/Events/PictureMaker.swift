import CardeaModel
import Foundation

/// Makes pictures that are safe to keep and to show of a stranger's bytes. Whoever fills this reads them where nothing else can be reached.
public protocol PictureMaker: Sendable {
    /// Decodes a JPEG and writes it anew, without anything that stood beside the picture in it.
    ///
    /// - Parameter jpeg: its header has been looked at.
    func make(of jpeg: Data) async throws(PictureProblem) -> Pictures
}

/// Both JPEG.
public struct Pictures: Sendable {
    /// At most 1920 pixels wide.
    public let whole: Data
    /// For lists: about 30 to 50 KB.
    public let thumbnail: Data

    public init(whole: Data, thumbnail: Data) {
        self.whole = whole
        self.thumbnail = thumbnail
    }
}

/// A few pictures are made at a time, and a few more wait: each takes a processor for a moment.
actor PictureDesk {
    private let maker: any PictureMaker
    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    static let atOnce = 2
    static let mayWait = 32

    init(maker: any PictureMaker) {
        self.maker = maker
        places = Self.atOnce
    }

    func make(of jpeg: Data) async throws(PictureProblem) -> Pictures {
        guard waiting.count < Self.mayWait else { throw .busy }
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        defer { leave() }
        return try await maker.make(of: jpeg)
    }

    /// The place goes to whoever waits longest.
    private func leave() {
        if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
    }
}
