import CardeaModel
import Foundation

/// The error answer of `/api/v1`.
public struct ErrorAnswer: Codable, Sendable {
    public let error: Content

    public struct Content: Codable, Sendable {
        public let code: String
        public let message: String
        public let details: [String: JSONValue]
        public let timestamp: Date
        public let requestID: String

        enum CodingKeys: String, CodingKey {
            case code, message, details, timestamp
            case requestID = "request_id"
        }
    }

    public init(code: String, message: String, details: [String: JSONValue], timestamp: Date, requestID: String) {
        error = Content(code: code, message: message, details: details, timestamp: timestamp, requestID: requestID)
    }
}

/// The error answer of `/api/v1/mobile`: Seed 003's one field, and ours beside it.
public struct MobileErrorAnswer: Codable, Sendable {
    public let detail: String
    public let error: ErrorAnswer.Content

    public init(_ answer: ErrorAnswer) {
        detail = answer.error.message
        error = answer.error
    }
}
