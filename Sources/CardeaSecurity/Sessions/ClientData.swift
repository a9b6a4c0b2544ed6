import Foundation

/// The browser's statement of the challenge and the page it came from (WebAuthn, section 5.8.1). It may contain unknown members.
struct ClientData: Decodable {
    let type: String
    let challenge: String
    let origin: String
    let crossOrigin: Bool?
    let topOrigin: String?

    static func read(_ json: Data, _ type: String, _ expected: PasskeyExpectation) throws(PasskeyError) {
        guard json.count <= 8192, let data = try? JSONDecoder().decode(ClientData.self, from: json) else { throw .malformed }
        guard data.type == type else { throw .wrongType }
        guard let challenge = Base64URL.decode(data.challenge), constantTimeEquals(challenge, expected.challenge) else {
            throw .wrongChallenge
        }
        guard expected.origins.contains(data.origin) else { throw .wrongOrigin }
        // Our page never runs inside another one.
        guard data.crossOrigin != true, data.topOrigin == nil else { throw .crossOrigin }
    }

    /// The challenge a browser's answer is about, to find what we asked; nil if there is none.
    static func challenge(in json: Data) -> Data? {
        guard json.count <= 8192, let data = try? JSONDecoder().decode(ClientData.self, from: json) else { return nil }
        return Base64URL.decode(data.challenge)
    }
}
