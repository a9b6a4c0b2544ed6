import CardeaAPI
import CardeaClient
import CardeaHTTP
import CardeaHub
import Foundation
import Hummingbird
import HummingbirdTesting

/// Runs `body` with a claimed house that stores pictures, and its transport.
///
/// - Parameter size: the approximate size of a thumbnail in bytes.
public func withPictureHouse(
    thumbnails size: Int = 10_000, _ body: @escaping @Sendable (TestHouse, any TestClientProtocol) async throws -> Void
) async throws {
    try await withFolder { folder in
        let settings = EventSettings(pictures: folder, maker: PassthroughPictureMaker(size: size * 2))
        try await TestHouse.open(events: settings) { house in
            try await house.claim()
            let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            try await application.test(.router) { try await body(house, $0) }
        }
    }
}

extension TestPhone {
    /// Records an event with a picture.
    public func recordEvent(
        _ type: String, _ description: String = "", source: String = "porch", picture: Data? = smallestJPEG
    ) async throws -> String {
        let body = RecordEventBody(
            source: source, type: type, description: description, occurredAt: house.clock.now, imageBase64: picture?.base64EncodedString())
        return try await client.events.record(body).id
    }
}
