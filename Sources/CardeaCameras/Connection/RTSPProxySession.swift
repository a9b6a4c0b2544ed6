import CardeaHub
import CardeaModel
import CardeaSecurity
import NIOCore

/// The conversation of ffmpeg and a camera through the hub, as a value. Requests get the camera's address and credentials, authentication
/// challenges are answered here, and a redirect ends the session.
struct RTSPProxySession: Sendable {
    /// The URL that ffmpeg was given: on this machine, and unknown to other programs.
    let localURL: String
    let source: CameraSource
    let clientNonce: String

    private var challenge: SupportedChallenge?
    /// The camera has offered Digest on this connection, so that it is never answered with Basic.
    private var hasOfferedDigest = false
    private var challengeCount = 0
    private var number = 0
    private var pendingRequests: [Int: PendingRequest] = [:]

    /// A request that waits for its reply.
    private struct PendingRequest {
        let message: RTSPMessage
        /// The number ffmpeg knows it by.
        let number: String
        let isSecondTry: Bool
    }

    /// The way to handle a message.
    enum Step {
        case toCamera(RTSPMessage)
        case toChild(RTSPMessage)
        case drop
    }

    init(own: String, source: CameraSource, clientNonce: String) {
        self.localURL = own
        self.source = source
        self.clientNonce = clientNonce
    }

    /// Requests that a stream has open at once are one or two.
    static let openLimit = 16

    mutating func forwardRequest(_ message: RTSPMessage) throws(CameraUnavailableError) -> Step {
        let words = message.startLine.split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("RTSP/"), message.status == nil else { throw .invalidPicture }
        guard pendingRequests.count < Self.openLimit else { throw .stalled }
        var message = message
        var uri = String(words[1])
        if uri.hasPrefix(localURL) { uri = source.address.displayText + source.target + uri.dropFirst(localURL.count) }
        message.startLine = "\(words[0]) \(uri) \(words[2])"
        return .toCamera(send(message, as: message["cseq"].first ?? "0", isSecondTry: false))
    }

    mutating func forwardResponse(_ message: RTSPMessage) throws(CameraUnavailableError) -> Step {
        guard let status = message.status else {
            // A camera may send requests too. None of them is for ffmpeg, and REDIRECT would send it elsewhere.
            if message.startLine.hasPrefix("REDIRECT ") { throw .redirected }
            return .drop
        }
        guard let number = message["cseq"].first.flatMap({ Int($0) }), let asked = pendingRequests.removeValue(forKey: number) else {
            return .drop
        }
        switch status {
        case 300..<400: throw .redirected
        case 401:
            let fields = message["www-authenticate"]
            if SupportedChallenge.offersDigest(fields) { hasOfferedDigest = true }
            let next = SupportedChallenge.strongest(fields, isEncrypted: source.address.isSecure)
            guard source.user != nil, let next, !asked.isSecondTry || next.isStale, challengeCount < 1000 else { throw .unauthorized }
            guard source.address.isSecure || !hasOfferedDigest || next.scheme != .basic else { throw .unauthorized }
            challenge = next
            return .toCamera(send(asked.message, as: asked.number, isSecondTry: true))
        case 403: throw .unauthorized
        case 404, 410: throw .notFound
        default:
            var reply = message
            reply.set("CSeq", asked.number)
            return .toChild(reply)
        }
    }

    private mutating func send(_ message: RTSPMessage, as known: String, isSecondTry: Bool) -> RTSPMessage {
        number += 1
        pendingRequests[number] = PendingRequest(message: message, number: known, isSecondTry: isSecondTry)
        var message = message
        message.set("CSeq", "\(number)")
        if let challenge, let user = source.user {
            challengeCount += 1
            let words = message.startLine.split(separator: " ")
            message.set(
                "Authorization",
                challenge.authorization(
                    user: user, password: source.password ?? Secret(""), method: String(words.first ?? ""),
                    uri: words.count > 1 ? String(words[1]) : "", count: challengeCount, clientNonce: clientNonce))
        }
        return message
    }
}
