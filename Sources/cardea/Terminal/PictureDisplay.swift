import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

/// A picture prepared for display, or the reason why there is none.
struct PictureDisplay: Sendable {
    /// The drawing, which comes before the text.
    var drawing: TerminalImage?
    /// The path of its file.
    var file: String?
    /// The time when the house last confirmed the picture; nil if it has just done so.
    var asOf: Date?
    /// The reason why there is none.
    var failureReason: String?
}

extension PictureDisplay {
    /// The lines below the text.
    func lines(_ clock: HouseClock, of what: String) -> [String] {
        [
            file.map { "\(what) is in \($0)." }, asOf.map { "The picture was viewed \(clock.spoken($0))." }, failureReason,
        ].compactMap(\.self)
    }
}
