import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import NIOCore
import NIOHTTP1

/// A camera's picture by HTTP: one request to the address that was judged, and wherever the answer would send us, we do not go.
struct HTTPPictureClient: Sendable {
    let connector: CameraConnector

    /// The first whole JPEG of the answer, whether it is the answer or one of its many parts.
    func fetch(_ source: CameraSource) async throws -> [UInt8] {
        var challenge: SupportedChallenge?
        for _ in 1...2 {
            switch try await exchange(source, answering: challenge) {
            case .picture(let bytes): return bytes
            case .challenge(let next): challenge = next
            }
        }
        throw CameraUnavailableError.unauthorized
    }

    private enum Outcome: Sendable {
        case picture([UInt8])
        case challenge(SupportedChallenge)
    }

    private func exchange(_ source: CameraSource, answering challenge: SupportedChallenge?) async throws -> Outcome {
        let camera: NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart> = try await connector.connect(source.address) {
            channel in
            try channel.pipeline.syncOperations.addHandler(ResponseHeadNormalizer())
            try channel.pipeline.syncOperations.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
        }
        let request = Self.request(source, answering: challenge)
        do {
            return try await camera.executeThenClose { answer, out in
                try await out.write(.head(request))
                try await out.write(.end(nil))
                return try await Self.read(answer, source, hasAnswered: challenge != nil)
            }
        } catch is HTTPParserError {
            throw CameraUnavailableError.invalidPicture
        } catch is NIOHTTPDecoderError {
            throw CameraUnavailableError.invalidPicture
        } catch is RTSPReader.FormatError {
            throw CameraUnavailableError.invalidPicture
        }
    }

    /// Reads until the first picture is whole, or until the answer ends: many cameras leave the end marker of a picture out.
    private static func read(
        _ answer: NIOAsyncChannelInboundStream<HTTPClientResponsePart>, _ source: CameraSource, hasAnswered: Bool
    ) async throws -> Outcome {
        var splitter = JPEGSplitter()
        reading: for try await part in answer {
            switch part {
            case .head(let head):
                if let next = try evaluate(head, source, hasAnswered: hasAnswered) { return .challenge(next) }
            case .body(let bytes):
                if let picture = splitter.append(bytes.readableBytesView).first { return .picture(picture) }
            case .end:
                break reading
            }
        }
        guard let picture = splitter.finish() else { throw CameraUnavailableError.invalidPicture }
        return .picture(picture)
    }

    private static func request(_ source: CameraSource, answering challenge: SupportedChallenge?) -> HTTPRequestHead {
        var headers: HTTPHeaders = [
            "Host": source.address.authority, "User-Agent": "cardea", "Accept": "image/jpeg, */*", "Connection": "close",
        ]
        if let token = source.token { headers.add(name: "Authorization", value: "Bearer \(token.reveal())") }
        if let challenge, let user = source.user {
            headers.add(
                name: "Authorization",
                value: challenge.authorization(
                    user: user, password: source.password ?? Secret(""), method: "GET", uri: source.target, count: 1,
                    clientNonce: Base64URL.encode(SecretGenerator.randomBytes(12))))
        }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: source.target, headers: headers)
    }

    /// The challenge to answer; nil if the picture follows.
    private static func evaluate(_ head: HTTPResponseHead, _ source: CameraSource, hasAnswered: Bool) throws(CameraUnavailableError)
        -> SupportedChallenge?
    {
        switch head.status.code {
        case 200: return nil
        case 300..<400: throw .redirected
        case 401:
            guard !hasAnswered, source.user != nil,
                let next = SupportedChallenge.strongest(head.headers["www-authenticate"], isEncrypted: source.address.isSecure)
            else { throw .unauthorized }
            return next
        case 403: throw .unauthorized
        case 404, 410: throw .notFound
        default: throw .invalidPicture
        }
    }
}
