import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes

/// The errors of Seed 003: `{"detail": text}`.
extension Problem {
    static let mobilePrefix = "/api/v1/mobile/"

    static func ofMobileFamily(_ error: any Error) -> Problem {
        switch error {
        case Cameras.Problem.notFound: Problem(.notFound, "camera_not_found", "Camera not found")
        case Cameras.Problem.offline: Problem(.serviceUnavailable, "camera_offline", "Camera is offline", retryAfter: 10)
        default: Problem(error)
        }
    }

    func mobileBody() throws -> Data {
        try Wire.encode(JSONValue.object(["detail": .string(message)]))
    }
}
