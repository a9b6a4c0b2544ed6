import CardeaModel
import Foundation

/// An error in one field of a what-if question.
public struct WhatIfFieldError: Error, Hashable, Sendable {
    /// The path of the field: `changes.room.living-room.temperature`.
    public let field: String
    /// The requirement, in words that follow the field's name: "must be a number of °C from 5 to 35".
    public let words: String

    public init(_ field: String, _ words: String) {
        self.field = field
        self.words = words
    }
}
