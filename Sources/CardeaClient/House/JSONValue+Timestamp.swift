import CardeaAPI
import CardeaModel
import Foundation

extension JSONValue {
    /// A time as either family writes it: RFC 3339, or Unix seconds.
    var timestamp: Date? {
        switch self {
        case .string(let text): Timestamp.date(text)
        case .number(let seconds) where (0..<253_402_300_800).contains(seconds): Date(timeIntervalSince1970: seconds)
        default: nil
        }
    }
}
