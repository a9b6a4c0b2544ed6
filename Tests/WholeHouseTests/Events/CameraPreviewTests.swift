import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Camera preview stream", .timeLimit(.minutes(10)))
struct CameraPreviewTests {
    private static let porch = #"{"name":"Porch","source":{"kind":"rtsp","url":"rtsp://192.168.1.20/stream"}}"#

    @Test("Preview sends JPEG parts with Content-Length in one multipart answer with `no-store`")
    func parts() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let id = try #require(try await ask(.post, "/api/v1/cameras", Self.porch).body["camera_id"]?.string)

            let answer = try await client.executeRequest(
                uri: "/api/v1/cameras/\(id)/preview", method: .get, headers: [.authorization: "Bearer \(tokens.access.reveal())"], body: nil
            )

            let type = try #require(answer.headers[.contentType])
            #expect(answer.status == .ok && type == "multipart/x-mixed-replace; boundary=cardea-picture")
            #expect(answer.headers[.cacheControl] == "no-store")
            let body = Data(answer.body.readableBytesView)
            let part =
                Data("--cardea-picture\r\nContent-Type: image/jpeg\r\nContent-Length: \(ScriptedCameras.jpeg.count)\r\n\r\n".utf8)
                + ScriptedCameras.jpeg + Data("\r\n".utf8)
            #expect(body.starts(with: part))
        }
    }

    @Test("An offline camera answers 503, an unknown one 404")
    func offline() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let id = try #require(try await ask(.post, "/api/v1/cameras", Self.porch).body["camera_id"]?.string)
            house.cameras.set(.unreachable, at: "192.168.1.20")

            let offline = try await ask(.get, "/api/v1/cameras/\(id)/preview")
            let nowhere = try await ask(.get, "/api/v1/cameras/nobodys/preview")

            #expect(offline.status == 503 && offline.code == "camera_offline")
            #expect(nowhere.status == 404 && nowhere.code == "camera_not_found")
        }
    }

    @Test("Previews are limited to four per camera and eight in all, and an ended one frees its slot")
    func bounded() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            var ids: [String] = []
            for _ in 1...3 { ids.append(try #require(try await ask(.post, "/api/v1/cameras", Self.porch).body["camera_id"]?.string)) }
            var held: [Cameras.Preview] = []
            for id in [ids[0], ids[0], ids[0], ids[0], ids[1], ids[1], ids[1], ids[1]] {
                held.append(try await house.hub.cameras.preview(id, seenBy: owner))
            }

            let full = try await ask(.get, "/api/v1/cameras/\(ids[2])/preview")
            held.removeFirst()
            let again = try await ask(.get, "/api/v1/cameras/\(ids[2])/preview")

            #expect(full.status == 429 && full.headers[.retryAfter] != nil)
            #expect(again.status == 200)
            #expect(held.count == 7)
        }
    }
}
