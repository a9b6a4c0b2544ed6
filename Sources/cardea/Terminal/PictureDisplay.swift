import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

/// What became of a picture that somebody is to see.
struct PictureDisplay: Sendable {
    /// What the terminal draws, before the words.
    var drawing: TerminalImage?
    /// The file it lies in.
    var file: String?
    /// Since when nobody has heard that it is still this one; nil where the house has just said so.
    var asOf: Date?
    /// Why there is none.
    var failureReason: String?
}

extension PictureDisplay {
    /// What is said of it under the words.
    func lines(_ clock: HouseClock, of what: String) -> [String] {
        [
            file.map { "\(what) is in \($0)." }, asOf.map { "The picture was looked at \(clock.spoken($0))." }, failureReason,
        ].compactMap(\.self)
    }
}
