import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import NIOCore

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
        let camera = try await reach.connect(source.address)
        let request = Self.request(source, answering: challenge)
        return try await camera.executeThenClose { answer, out in
            try await out.write(request)
            var buffer = ByteBuffer()
            var splitter: JPEGSplitter?
            for try await bytes in answer {
                guard splitter == nil else {
                    if let picture = splitter?.take(bytes.readableBytesView).first { return .picture(picture) }
                    continue
                }
                buffer.writeImmutableBuffer(bytes)
                guard let (head, end) = try RTSPReader.head(of: buffer) else { continue }
                if let next = try Self.judge(head, source, hasAnswered: challenge != nil) { return .asked(next) }
                var pictures = JPEGSplitter()
                buffer.moveReaderIndex(forwardBy: end)
                if let picture = pictures.take(buffer.readableBytesView).first { return .picture(picture) }
                splitter = pictures
            }
            throw CameraTrouble.noPicture
        }
    }

    /// HTTP 1.0, so that the answer comes as it is and ends with the line.
    private static func request(_ source: CameraSource, answering challenge: Challenge?) -> ByteBuffer {
        var lines = [
            "GET \(source.target) HTTP/1.0", "Host: \(source.address.authority)", "User-Agent: cardea", "Accept: image/jpeg, */*",
            "Connection: close",
        ]
        if let token = source.token { lines.append("Authorization: Bearer \(token.reveal())") }
        if let challenge, let user = source.user {
            lines.append(
                "Authorization: "
                    + challenge.answer(
                        user: user, password: source.password ?? Secret(""), method: "GET", uri: source.target, count: 1,
                        clientNonce: Base64URL.encode(Minting.randomBytes(12))))
        }
        return ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// The challenge to answer; nil where the picture follows.
    private static func judge(_ head: RTSPMessage, _ source: CameraSource, hasAnswered: Bool) throws(CameraTrouble) -> Challenge? {
        let words = head.startLine.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else { throw .noPicture }
        switch status {
        case 200:
            // A server that answers in chunks to whom cannot read them.
            guard head["transfer-encoding"].allSatisfy({ $0.lowercased() == "identity" }) else { throw .noPicture }
            return nil
        case 300..<400: throw .redirected
        case 401:
            guard !hasAnswered, source.user != nil,
                let next = Challenge.strongest(head["www-authenticate"], isEncrypted: source.address.isSecure)
            else { throw .unauthorized }
            return next
        case 403: throw .unauthorized
        case 404, 410: throw .notThere
        default: throw .noPicture
        }
    }
}
