import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import NIOCore
import NIOHTTP1

/// A camera's picture by HTTP: one request to the address that was judged, and wherever the answer would send us, we do not go.
struct HTTPPicture: Sendable {
    let reach: Reach

    /// The first whole JPEG of the answer, whether it is the answer or one of its many parts.
    func get(_ source: CameraSource) async throws -> [UInt8] {
        var challenge: Challenge?
        for _ in 1...2 {
            switch try await ask(source, answering: challenge) {
            case .picture(let bytes): return bytes
            case .asked(let next): challenge = next
            }
        }
        throw CameraTrouble.unauthorized
    }

    private enum Outcome: Sendable {
        case picture([UInt8])
        case asked(Challenge)
    }

    private func ask(_ source: CameraSource, answering challenge: Challenge?) async throws -> Outcome {
        let camera: NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart> = try await reach.connect(source.address) { channel in
            try channel.pipeline.syncOperations.addHandler(AnswerHead())
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
            throw CameraTrouble.noPicture
        } catch is NIOHTTPDecoderError {
            throw CameraTrouble.noPicture
        } catch is RTSPReader.Nonsense {
            throw CameraTrouble.noPicture
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
                if let next = try judge(head, source, hasAnswered: hasAnswered) { return .asked(next) }
            case .body(let bytes):
                if let picture = splitter.take(bytes.readableBytesView).first { return .picture(picture) }
            case .end:
                break reading
            }
        }
        guard let picture = splitter.finish() else { throw CameraTrouble.noPicture }
        return .picture(picture)
    }

    private static func request(_ source: CameraSource, answering challenge: Challenge?) -> HTTPRequestHead {
        var headers: HTTPHeaders = [
            "Host": source.address.authority, "User-Agent": "cardea", "Accept": "image/jpeg, */*", "Connection": "close",
        ]
        if let token = source.token { headers.add(name: "Authorization", value: "Bearer \(token.reveal())") }
        if let challenge, let user = source.user {
            headers.add(
                name: "Authorization",
                value: challenge.answer(
                    user: user, password: source.password ?? Secret(""), method: "GET", uri: source.target, count: 1,
                    clientNonce: Base64URL.encode(Minting.randomBytes(12))))
        }
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: source.target, headers: headers)
    }

    /// The challenge to answer; nil where the picture follows.
    private static func judge(_ head: HTTPResponseHead, _ source: CameraSource, hasAnswered: Bool) throws(CameraTrouble) -> Challenge? {
        switch head.status.code {
        case 200: return nil
        case 300..<400: throw .redirected
        case 401:
            guard !hasAnswered, source.user != nil,
                let next = Challenge.strongest(head.headers["www-authenticate"], isEncrypted: source.address.isSecure)
            else { throw .unauthorized }
            return next
        case 403: throw .unauthorized
        case 404, 410: throw .notThere
        default: throw .noPicture
        }
    }
}
