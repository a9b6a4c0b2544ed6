import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import NIOCore
import Testing

@testable import CardeaCameras

@Suite("Camera protocol parsers")
struct CameraProtocolParserTests {
    @Test("An authentication challenge is answered as in the RFCs")
    func vectors() throws {
        // RFC 2617, section 3.5, and RFC 7616, section 3.9.1.
        let old = try #require(
            SupportedChallenge.strongest(
                [
                    #"Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41""#
                ], isEncrypted: false))
        let fields = [
            #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
            #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
            #"Basic realm="x""#,
        ]
        let new = SupportedChallenge.strongest(fields, isEncrypted: false)

        let first = old.authorization(
            user: "Mufasa", password: Secret("Circle Of Life"), method: "GET", uri: "/dir/index.html", count: 1, clientNonce: "0a4f113b")
        let second = new?.authorization(
            user: "Mufasa", password: Secret("Circle of Life"), method: "GET", uri: "/dir/index.html", count: 1,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")

        #expect(first.contains(#"response="6629fae49393a05397450978507c4ef1""#) && first.contains("qop=auth, nc=00000001"))
        #expect(second?.contains("753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1") == true)
        #expect(
            SupportedChallenge.strongest([#"Basic realm="a, b""#], isEncrypted: false)?.authorization(
                user: "Aladdin", password: Secret("open sesame"), method: "GET", uri: "/", count: 1, clientNonce: "")
                == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        for field in ["Negotiate", "", #"Digest realm="x""#] { #expect(SupportedChallenge.strongest([field], isEncrypted: true) == nil) }
    }

    @Test("An RTSP conversation is parsed equally for all chunk sizes", arguments: TestSeed.values(1..<51 as Range<UInt64>))
    func pieces(seed: UInt64) throws {
        var dice = XorshiftGenerator(seed: seed)
        var bytes: [UInt8] = []
        var said: [String] = []
        for number in 0..<20 {
            if dice.next(2) == 0 {
                let length = dice.next(700)
                bytes += [0x24, 0, UInt8(length >> 8), UInt8(length & 0xFF)] + (0..<length).map { _ in UInt8(dice.next(256)) }
                said.append("packet \(length)")
            } else {
                let body = String(repeating: "b", count: dice.next(100))
                bytes += Array("RTSP/1.0 200 OK\r\nCSeq:  \(number)\r\nContent-Length: \(body.count)\r\n\r\n\(body)".utf8)
                said.append("reply \(number) \(body.count)")
            }
        }

        var reader = RTSPReader()
        var heard: [String] = []
        while !bytes.isEmpty {
            let count = min(bytes.count, dice.next(300) + 1)
            reader.append(ByteBuffer(bytes: bytes.prefix(count)))
            bytes.removeFirst(count)
            while let item = try reader.next() {
                switch item {
                case .packet(let packet): heard.append("packet \(packet.readableBytes - 4)")
                case .message(let message):
                    #expect(message.status == 200)
                    heard.append("reply \(message["cseq"].first ?? "") \(message.body.readableBytes)")
                }
            }
        }

        #expect(heard == said)
    }

    @Test("The parsers terminate for any bytes", arguments: TestSeed.values(999..<1199 as Range<UInt64>))
    func anything(seed: UInt64) {
        var dice = XorshiftGenerator(seed: seed)
        let parts = [
            "RTSP/1.0 ", "200", "\r\n", "\n", "$", "CSeq: 1", "Content-Length: ", "12", "-1", ":", "\0", "\u{FF}\u{D8}", "\u{FF}\u{D9}",
            "\u{FF}\u{DA}\0\u{2}",
        ]
        var reader = RTSPReader()
        var pictures = JPEGSplitter(limit: 4096)
        for _ in 0..<60 {
            var bytes: [UInt8] = []
            for _ in 0..<dice.next(12) {
                bytes += parts[dice.next(parts.count)].unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
                if dice.next(3) == 0 { bytes.append(UInt8(dice.next(256))) }
            }
            _ = SupportedChallenge.strongest([String(decoding: bytes, as: UTF8.self)], isEncrypted: true)
            for picture in pictures.append(bytes) { #expect(picture.prefix(2) == [0xFF, 0xD8]) }
            reader.append(ByteBuffer(bytes: bytes))
            do { while try reader.next() != nil {} } catch { reader = RTSPReader() }
        }
    }

    @Test("Pictures are found one by one between other bytes, and an embedded one is ignored")
    func pictures() {
        let inner: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
        let thumbnail: [UInt8] = [0xFF, 0xE1, 0x00, UInt8(2 + inner.count)] + inner
        let scan: [UInt8] = [0xFF, 0xDA, 0x00, 0x02, 0x11, 0xFF, 0x00, 0x22, 0xFF, 0xD3, 0x33]
        let one: [UInt8] = [0xFF, 0xD8] + thumbnail + scan + [0xFF, 0xD9]
        let two: [UInt8] = [0xFF, 0xD8] + scan + [0xFF, 0xFF, 0xD9]
        let stream = Array("--frame\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + one + [0xFF] + two + Array("\r\n--frame".utf8) + one

        for size in 1...20 {
            var splitter = JPEGSplitter()
            var found: [[UInt8]] = []
            for start in stride(from: 0, to: stream.count, by: size) {
                found += splitter.append(stream[start..<min(start + size, stream.count)])
            }
            #expect(found == [one, two, one], "by \(size)")
        }
    }

    @Test("A picture without an end marker ends with the response or the next picture")
    func noEndMarker() {
        let picture = [UInt8](SamplePicture.baseline.dropLast(2))
        let boundary = Array("\r\n--frame\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
        var splitter = JPEGSplitter()

        #expect(splitter.append(picture + boundary) == [])
        #expect(splitter.append(picture) == [picture + boundary])
        #expect(splitter.finish() == picture && splitter.finish() == nil)
        #expect(splitter.append(picture.prefix(100)) == [] && splitter.finish() == nil)
    }

    @Test("A response header is parsed as in HTTP with the fields that frame its body")
    func heads() throws {
        func mended(_ text: String) throws -> String {
            let head = try #require(try RTSPReader.head(of: ByteBuffer(string: text)))
            return String(buffer: ResponseHeadNormalizer.normalized(head.0).bytes)
        }
        #expect(try mended("HTTP/1.0 200 OK\nServer: cam\n\n") == "HTTP/1.0 200 OK\r\n\r\n")
        #expect(
            try mended("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Length: 9\r\n\r\n")
                == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(
            try mended("HTTP/1.1 200 OK\r\nContent-Length: -1\r\nContent-Length: 9 \r\nContent-Length: 9\r\n\r\n")
                == "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
    }

    @Test("An RTSP session signs in and sends credentials only after a challenge")
    func session() throws {
        let source = CameraSource(
            kind: .rtsp, address: try CameraAddress("rtsp://10.0.0.9/live?ch=1", schemes: ["rtsp"]), user: "cam", password: Secret("pw"))
        var session = RTSPProxySession(own: "rtsp://127.0.0.1:4/name", source: source, clientNonce: "c")
        func asked(_ line: String, _ number: Int) throws -> RTSPMessage? {
            let message = RTSPMessage(startLine: line, fields: [("CSeq", "\(number)")], body: ByteBuffer())
            guard case .toCamera(let sent) = try session.forwardRequest(message) else { return nil }
            return sent
        }
        func replied(_ status: String, _ number: String, _ more: [(name: String, value: String)] = []) throws -> RTSPProxySession.Step {
            try session.forwardResponse(RTSPMessage(startLine: "RTSP/1.0 \(status)", fields: [("CSeq", number)] + more, body: ByteBuffer()))
        }

        let first = try #require(try asked("DESCRIBE rtsp://127.0.0.1:4/name RTSP/1.0", 1))
        #expect(first.startLine == "DESCRIBE rtsp://10.0.0.9:554/live?ch=1 RTSP/1.0" && first["authorization"] == [])
        guard case .toCamera(let second) = try replied("401 No", first["cseq"][0], [("WWW-Authenticate", #"Digest realm="r", nonce="n""#)])
        else {
            Issue.record("not asked again")
            return
        }
        #expect(
            second["authorization"].first?.hasPrefix(#"Digest username="cam", realm="r", nonce="n", uri="rtsp://10.0.0.9:554/live?ch=1""#)
                == true)
        #expect(second["cseq"] != first["cseq"])
        guard case .toChild(let reply) = try replied("200 OK", second["cseq"][0]) else {
            Issue.record("not told")
            return
        }
        #expect(reply["cseq"] == ["1"])
        let third = try #require(try asked("SETUP rtsp://10.0.0.9:554/live/track1 RTSP/1.0", 2))
        #expect(third["authorization"].count == 1 && third.startLine.hasPrefix("SETUP rtsp://10.0.0.9:554/live/track1"))
        #expect(throws: CameraUnavailableError.unauthorized) { try replied("403 No", third["cseq"][0]) }
    }
}
