import CardeaModel
import Foundation

/// What is wrong with a question as it was written.
public struct WhatIfFieldError: Error, Hashable, Sendable {
    /// By its place: `changes.room.living-room.temperature`.
    public let field: String
    /// Of that field: "is a number of °C from 5 to 35".
    public let words: String

    public init(_ field: String, _ words: String) {
        self.field = field
        self.words = words
    }
}
