import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import NIOCore
import Testing

@testable import CardeaCameras

@Suite("Authentication challenges of cameras")
struct SupportedChallengeTests {
    /// A field and its challenges, each as `scheme token68 name=value;name=value` with the names in alphabetical order.
    static let fields: [(String, [String])] = [
        (#"Basic realm="cam""#, ["basic - realm=cam"]),
        (
            #"Basic realm="cam", Digest realm="cam", nonce="01", algorithm=MD5"#,
            ["basic - realm=cam", "digest - algorithm=MD5;nonce=01;realm=cam"]
        ),
        (
            #"Digest realm="cam", nonce="01", algorithm=MD5, Basic realm="x""#,
            ["digest - algorithm=MD5;nonce=01;realm=cam", "basic - realm=x"]
        ),
        (#"Basic realm="cam",Digest realm="cam",nonce="01""#, ["basic - realm=cam", "digest - nonce=01;realm=cam"]),
        (#"Digest realm="a, Basic realm=b", nonce="01""#, ["digest - nonce=01;realm=a, Basic realm=b"]),
        (#"Digest realm="say \"hi\", \\ Basic", nonce="01""#, [#"digest - nonce=01;realm=say "hi", \ Basic"#]),
        (#"Digest  realm = "cam" ,  nonce =01"#, ["digest - nonce=01;realm=cam"]),
        (#"DIGEST Realm="cam", NONCE="01""#, ["digest - nonce=01;realm=cam"]),
        (#"Negotiate, NTLM, Basic realm="cam""#, ["negotiate - ", "ntlm - ", "basic - realm=cam"]),
        (#"Negotiate a/+b==, Basic realm="cam""#, ["negotiate a/+b== ", "basic - realm=cam"]),
        (#"Basic, Digest nonce=a/b+c=="#, ["basic - ", "digest - nonce=a/b+c=="]),
        (#", ,Basic realm="cam",, ,Digest nonce="01","#, ["basic - realm=cam", "digest - nonce=01"]),
        // Against the RFC: a missing comma, a repeated parameter, an unclosed quote.
        (#"Digest realm="cam" nonce="01" Basic realm="x""#, ["digest - nonce=01;realm=cam", "basic - realm=x"]),
        (#"Digest realm="cam", nonce="01", realm="other""#, ["digest - nonce=01;realm=cam"]),
        (#"Basic realm="cam, Digest nonce="01"#, ["basic - realm=cam, Digest nonce=", "01 - "]),
        (#"Digest realm="cam", nonce="01"#, ["digest - nonce=01;realm=cam"]),
        ("Digest\trealm=\"cam\",\tnonce=01", ["digest - nonce=01;realm=cam"]),
        ("", []), (" , ", []), ("=\"", []), ("Basic", ["basic - "]),
    ]

    @Test("The header field is parsed by RFC 9110, section 11.6.1", arguments: fields)
    func parsed(field: String, read: [String]) {
        let shown = AuthenticationChallenge.all(in: field).map { challenge in
            let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return "\(challenge.scheme) \(challenge.token68 ?? "-") \(parameters.joined(separator: ";"))"
        }

        #expect(shown == read)
    }

    private static let md5 = #"Digest realm="r", nonce="n""#
    private static let sha256 = #"Digest realm="r", nonce="n", algorithm=SHA-256"#
    private static let basic = #"Basic realm="r""#

    /// Fields, and the scheme used on a plain and on an encrypted connection.
    static let choices: [([String], String?, String?)] = [
        ([basic], "basic", "basic"), ([basic, md5], "MD5", "MD5"), (["\(basic), \(md5)"], "MD5", "MD5"),
        (["\(md5), \(basic)"], "MD5", "MD5"),
        (["\(md5), \(sha256), \(basic)"], "SHA-256", "SHA-256"), ([sha256, md5], "SHA-256", "SHA-256"),
        ([#"Bearer realm="r", error="x", "# + basic], "basic", "basic"), (["Bearer", "Negotiate"], nil, nil),
        // An unsupported Digest challenge does not make Basic safe.
        ([#"Digest realm="r", nonce="n", algorithm=SHA-512-256, "# + basic], nil, "basic"), ([#"Digest realm="r""#, basic], nil, "basic"),
        ([#"Digest realm="r", nonce="n", qop="auth-int""#, basic], nil, "basic"),
    ]

    @Test("The strongest challenge is answered, and Basic never on a plain connection where Digest is offered", arguments: choices)
    func strongest(fields: [String], plain: String?, encrypted: String?) {
        func answered(isEncrypted: Bool) -> String? {
            switch SupportedChallenge.strongest(fields, isEncrypted: isEncrypted)?.scheme {
            case .basic?: "basic"
            case .digest(let algorithm, _, _, _)?: algorithm.rawValue
            case nil: nil
            }
        }

        #expect(answered(isEncrypted: false) == plain)
        #expect(answered(isEncrypted: true) == encrypted)
    }

    private func session(_ url: String) throws -> RTSPProxySession {
        let address = try CameraAddress(url, schemes: ["rtsp", "rtsps"])
        return RTSPProxySession(
            own: "rtsp://127.0.0.1:4/name",
            source: CameraSource(kind: .rtsp, address: address, user: "viewer", password: Secret("let me see")), clientNonce: "c")
    }

    private func request(_ number: Int) -> RTSPMessage {
        RTSPMessage(startLine: "DESCRIBE rtsp://127.0.0.1:4/name RTSP/1.0", fields: [("CSeq", "\(number)")], body: ByteBuffer())
    }

    /// The camera's refusal of a message.
    private func refusal(of step: RTSPProxySession.Step, _ fields: [String]) throws -> RTSPMessage {
        guard case .toCamera(let sent) = step else { throw CameraUnavailableError.invalidPicture }
        let number = try #require(sent["cseq"].first)
        let asked: [(name: String, value: String)] = fields.map { ("WWW-Authenticate", $0) }
        return RTSPMessage(startLine: "RTSP/1.0 401 Unauthorized", fields: [("CSeq", number)] + asked, body: ByteBuffer())
    }

    @Test(
        "An RTSP camera that asks for Basic and Digest gets Digest",
        arguments: [
            [#"Basic realm="cam""#, #"Digest realm="cam", nonce="0123456789abcdef", stale="FALSE""#],
            [#"Basic realm="cam", Digest realm="cam", nonce="0123456789abcdef", algorithm=MD5"#],
            [#"Digest realm="cam", nonce="0123456789abcdef", algorithm=MD5, Basic realm="cam""#],
        ])
    func digestFirst(fields: [String]) throws {
        var session = try session("rtsp://10.0.0.9/door")

        let asked = try session.forwardRequest(request(1))
        guard case .toCamera(let again) = try session.forwardResponse(try refusal(of: asked, fields)) else {
            Issue.record("not asked again")
            return
        }

        #expect(again["authorization"].first?.hasPrefix(#"Digest username="viewer", realm="cam", nonce="0123456789abcdef""#) == true)
    }

    @Test("A camera that offered Digest and later asks for Basic alone gets no password over a plain connection")
    func downgrade() throws {
        var (plain, encrypted) = (try session("rtsp://10.0.0.9/door"), try session("rtsps://10.0.0.9/door"))
        let (first, another) = (try plain.forwardRequest(request(1)), try encrypted.forwardRequest(request(1)))
        _ = try plain.forwardResponse(try refusal(of: first, [Self.md5]))
        _ = try encrypted.forwardResponse(try refusal(of: another, [Self.md5]))

        let (second, other) = (try plain.forwardRequest(request(2)), try encrypted.forwardRequest(request(2)))

        #expect(throws: CameraUnavailableError.unauthorized) { try plain.forwardResponse(try refusal(of: second, [Self.basic])) }
        guard case .toCamera(let answer) = try encrypted.forwardResponse(try refusal(of: other, [Self.basic])) else {
            Issue.record("not asked again")
            return
        }
        #expect(answer["authorization"].first?.hasPrefix("Basic ") == true)
    }
}
