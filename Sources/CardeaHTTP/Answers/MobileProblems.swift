import CardeaAPI
import CardeaModel
import Foundation

/// The error form of Seed 003: every error of `/api/v1/mobile` is `{"detail": text}`. Status and header fields are those of every family.
extension Problem {
    static func isOfMobileFamily(_ path: String) -> Bool { path == "/api/v1/mobile" || path.hasPrefix("/api/v1/mobile/") }

    /// The body.
    var asDetail: JSONValue { ["detail": .string(message)] }
}
