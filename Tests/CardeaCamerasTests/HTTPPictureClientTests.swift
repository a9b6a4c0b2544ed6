import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaCameras

/// Cameras with arbitrary answers, in valid or nearly valid HTTP.
@Suite("Pictures over HTTP", .timeLimit(.minutes(5)))
struct HTTPPictureClientTests {
    struct HTTPReply: CustomTestStringConvertible {
        let testDescription: String
        /// Each character is a byte.
        let answer: String

        init(_ name: String, _ head: String, _ body: Data) {
            testDescription = name
            answer = head.replacing("\n", with: "\r\n") + "\r\n\r\n" + HTTPReply.text(body)
        }

        init(_ name: String, asIs head: String, _ body: Data) {
            testDescription = name
            answer = head + HTTPReply.text(body)
        }

        static func text(_ bytes: Data) -> String { String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })) }
    }

    private static let picture = SamplePicture.baseline
    private static let unended = Data(picture.dropLast(2))

    /// In chunks of 300 bytes.
    private static func chunked(_ body: Data) -> Data {
        var made = Data()
        for start in stride(from: 0, to: body.count, by: 300) {
            let chunk = body.dropFirst(start).prefix(300)
            made.append(Data((String(chunk.count, radix: 16) + "\r\n").utf8))
            made.append(chunk)
            made.append(Data("\r\n".utf8))
        }
        made.append(Data("0\r\n\r\n".utf8))
        return made
    }

    private static func parts(_ boundary: String, _ picture: Data, line: String = "\r\n", withLength: Bool = true) -> Data {
        var made = Data()
        for _ in 0..<2 {
            let length = withLength ? "Content-Length: \(picture.count)\(line)" : ""
            made.append(Data("\(boundary)\(line)Content-Type: image/jpeg\(line)\(length)\(line)".utf8))
            made.append(picture)
            made.append(Data(line.utf8))
        }
        return made
    }

    private static let multipart = "HTTP/1.1 200 OK\nContent-Type: multipart/x-mixed-replace; boundary="

    @Test(
        "A picture is read from every framing of the response",
        arguments: [
            HTTPReply("with its length", "HTTP/1.1 200 OK\nContent-Type: image/jpeg\nContent-Length: \(picture.count)", picture),
            HTTPReply("in chunks", "HTTP/1.1 200 OK\nContent-Type: image/jpeg\nTransfer-Encoding: chunked", chunked(picture)),
            HTTPReply(
                "in chunks, with a length",
                "HTTP/1.1 200 OK\nContent-Length: \(picture.count)\nTransfer-Encoding: Chunked", chunked(picture)),
            HTTPReply("in chunks, without an end marker", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked", chunked(unended)),
            HTTPReply("without an end marker", "HTTP/1.0 200 OK\nContent-Length: \(unended.count)", unended),
            HTTPReply("that has no end", "HTTP/1.0 200 OK\nContent-Type: image/jpeg", picture),
            HTTPReply("behind a length of nothing known", "HTTP/1.1 200 OK\nContent-Length: -1", picture),
            HTTPReply("as parts", multipart + "frame", parts("--frame", picture)),
            HTTPReply("as parts in chunks", multipart + "frame\nTransfer-Encoding: chunked", chunked(parts("--frame", picture))),
            HTTPReply("as parts without lengths", multipart + "\"--frame\"", parts("--frame", picture, withLength: false)),
            HTTPReply("as parts without dashes", multipart + "frame", parts("frame", picture, line: "\n")),
            HTTPReply("as parts without end markers", multipart + "frame", parts("--frame", unended)),
            HTTPReply("behind a head of bare line feeds", asIs: "HTTP/1.1 200 OK\nContent-Type: image/jpeg\n\n", picture),
            HTTPReply("behind a provisional answer", asIs: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", picture),
        ])
    func seen(shown: HTTPReply) async throws {
        try await MaliciousCamera.serve({ _ in shown.answer }) { camera in
            var pace = CameraMonitor.Timing()
            pace.pictureTimeout = .seconds(60)
            let watch = CameraMonitor(sink: RecordingCameraSink([]), allowsLoopback: true, pace: pace, logger: .silent)
            let address = try CameraAddress("http://127.0.0.1:\(camera.port)/now.jpg?channel=1", schemes: ["http"])
            let source = CameraSource(kind: .http, address: address)

            let taken = try await watch.picture(of: CameraConfiguration(id: "c", version: 1, source: source, detection: CameraDetection()))

            let header = try JPEGHeader([UInt8](taken.jpeg))
            #expect(header.width == 64 && header.height == 48)
            #expect(camera.received.hasPrefix("GET /now.jpg?channel=1 HTTP/1.1\r\n"))
        }
    }
}
