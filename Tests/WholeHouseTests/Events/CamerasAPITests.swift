import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

@Suite("Cameras API", .timeLimit(.minutes(10)))
struct CamerasAPITests {
    private static let porch = """
        {"name":"Porch","source":{"kind":"rtsp","url":"rtsp://zaphod:s3cret%2Fword@192.168.1.20/user=x_password=y/s?pin=77"},
        "detection":{"motion":true,"sensitivity":70,"zones":[{"name":"Path","points":[[0,0],[1,0],[1,1]]}]}}
        """

    @Test("A camera is created, read, changed with If-Match and deleted, and its credentials are never returned")
    func life() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)

            let made = try await ask(.post, "/api/v1/cameras", Self.porch, key: "c-1")
            let again = try await ask(.post, "/api/v1/cameras", Self.porch, key: "c-1")

            let id = try #require(made.body["camera_id"]?.string)
            let path = "/api/v1/cameras/\(id)"
            #expect(made.status == 201 && made.entityTag == "\"1\"" && again.body["camera_id"] == .string(id))
            #expect(
                made.body["source"]
                    == ["kind": "rtsp", "address": "rtsp://192.168.1.20:554", "has_credentials": true])
            #expect(made.body["detection"]?["zones"]?.array.first?["points"] == [[0, 0], [1, 0], [1, 1]])
            #expect(made.body["is_online"] == false && made.body["last_event_at"] == .null)
            let picture = try await client.executeRequest(
                uri: path + "/snapshot", method: .get, headers: [.authorization: "Bearer \(tokens.access.reveal())"], body: nil)
            #expect(picture.status == .ok && picture.headers[.contentType] == "image/jpeg")
            #expect(picture.headers[.cacheControl] == "no-store" && Data(buffer: picture.body) == ScriptedCameras.jpeg)
            let source = try #require(house.cameras.requests.first?.source)
            #expect(source.user == "zaphod" && source.password?.reveal() == "s3cret/word")
            #expect(source.target == "/user=x_password=y/s?pin=77" && source.address.host == "192.168.1.20")

            let changed = try await ask(.patch, path, #"{"name":"Front porch"}"#, ifMatch: "\"1\"")
            #expect(changed.status == 200 && changed.body["name"] == "Front porch" && changed.body["version"] == 2)
            _ = try await ask(.get, path + "/snapshot")
            #expect(house.cameras.requests.last?.source.password?.reveal() == "s3cret/word")
            let stale = try await ask(.patch, path, #"{"name":"Yard"}"#, ifMatch: "\"1\"")
            #expect(stale.status == 412 && stale.body["error"]?["details"]?["current"]?["name"] == "Front porch")
            // No credential is readable in the database, in an answer, or in the audit log.
            let rows = try await house.store.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT CAST(sealed AS TEXT) || address || name FROM cameras UNION ALL SELECT data FROM journal
                        """)
            }
            let said = rows.joined() + "\(made.body)\(changed.body)\(stale.body)"
            for secret in ["s3cret", "pin=77", "password=y", "zaphod"] { #expect(!said.contains(secret), "\(secret)") }
            #expect(try await ask(.delete, path, ifMatch: "\"2\"").status == 204)
            #expect(try await ask(.get, path).code == "camera_not_found")
            let record = try await ask(.get, "/api/v1/activity?limit=50").body["entries"]?.array.compactMap { $0["action"]?.string }
            #expect(record?.filter { $0.hasPrefix("camera.") } == ["camera.remove", "camera.change", "camera.add"])
        }
    }

    @Test("The mobile camera routes answer as in Seed 003")
    func mobile() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let id = try #require(try await ask(.post, "/api/v1/cameras", Self.porch).body["camera_id"]?.string)
            await house.hub.cameras.reportStatus(id, CameraStatus(isOnline: true, since: house.clock.now))
            await house.hub.cameras.report(CameraEvent(cameraID: id, kind: .motion, at: house.clock.now, zones: [], picture: nil))

            let list = try await ask(.get, "/api/v1/mobile/cameras")
            house.cameras.set(.unreachable, at: "192.168.1.20")
            let offline = try await ask(.get, "/api/v1/mobile/cameras/\(id)/snapshot")
            let nowhere = try await ask(.get, "/api/v1/mobile/cameras/nobodys/snapshot")

            let camera = try #require(list.body["cameras"]?.array.first)
            #expect(camera["id"] == .string(id) && camera["name"] == "Porch" && camera["source_type"] == "rtsp")
            #expect(camera["is_enabled"] == true && camera["is_online"] == true && camera["last_event_at"]?.string != nil)
            #expect(offline.status == 503 && offline.body["detail"] == "Camera is offline" && offline.headers[.retryAfter] != nil)
            #expect(nowhere.status == 404 && nowhere.body["detail"] == "Camera not found")
            let stranger = try await client.executeRequest(uri: "/api/v1/mobile/cameras", method: .get, headers: [:], body: nil)
            #expect(stranger.status == .unauthorized)
            #expect(String(buffer: stranger.body).contains(#""detail":"#))
        }
    }

    @Test("Snapshots are limited to thirty a minute per camera, then 429 with Retry-After")
    func budget() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let id = try #require(try await ask(.post, "/api/v1/cameras", Self.porch).body["camera_id"]?.string)
            for _ in 1...30 { #expect(try await ask(.get, "/api/v1/mobile/cameras/\(id)/snapshot").status == 200) }

            let refused = try await ask(.get, "/api/v1/mobile/cameras/\(id)/snapshot")
            house.clock.advance(by: 60)
            let later = try await ask(.get, "/api/v1/mobile/cameras/\(id)/snapshot")

            #expect(refused.status == 429 && refused.headers[.retryAfter] == "60" && later.status == 200)
        }
    }

    @Test("An invalid or blocked camera source is rejected by field")
    func badSources() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            house.cameras.set(.refusedAddress(.linkLocal), at: "169.254.169.254")
            for (source, field) in [
                (#"{"kind":"rtsp","url":"http://192.168.1.20/"}"#, "source.url"),
                (#"{"kind":"rtsp","url":"file:///etc/passwd"}"#, "source.url"),
                (#"{"kind":"http","url":"gopher://192.168.1.20/"}"#, "source.url"),
                (#"{"kind":"http","url":"http://192.168.1.20/a b"}"#, "source.url"),
                (#"{"kind":"rtsp","url":"rtsp://cam:12/34@192.168.1.20/"}"#, "source.url"),
                (#"{"kind":"rtsp","url":"rtsp://cam:a%0D%0Ab@192.168.1.20/"}"#, "source.url"),
                (#"{"kind":"http","url":"http://169.254.169.254/latest"}"#, "source.url"),
                (#"{"kind":"usb","url":"rtsp://192.168.1.20/"}"#, "source.kind"),
                (#"{"kind":"frigate","url":"http://192.168.1.20:5000/"}"#, "source.camera"),
                (#"{"kind":"frigate","url":"http://192.168.1.20:5000/","camera":"../config"}"#, "source.camera"),
                (#"{"kind":"home_assistant","url":"http://192.168.1.20:8123/","camera":"camera.door"}"#, "source.token"),
                (#"{"kind":"rtsp","url":"rtsp://192.168.1.20/","password":"alone"}"#, "source.username"),
                (#"{"kind":"rtsp","url":"rtsp://192.168.1.20/","username":"a\r\nb","password":"x"}"#, "source.username"),
            ] {
                let answer = try await ask(.post, "/api/v1/cameras", #"{"name":"Porch","source":\#(source)}"#)
                #expect(answer.status == 400 && answer.body["error"]?["details"]?["field"] == .string(field), "\(source) \(answer.body)")
            }
            let still = #"{"name":"Porch","source":{"kind":"http","url":"http://192.168.1.20/"},"detection":{"motion":true}}"#
            #expect(try await ask(.post, "/api/v1/cameras", still).status == 400)
            for zones in [
                #"[{"name":"A","points":[[0,0],[1,1]]}]"#, #"[{"name":"A","points":[[0,0],[1,1],[2,0]]}]"#,
                #"[{"name":"A","points":[[0,0],[1],[2,0]]}]"#,
            ] {
                let body = #"{"name":"Porch","source":{"kind":"rtsp","url":"rtsp://192.168.1.20/"},"detection":{"zones":\#(zones)}}"#
                #expect(try await ask(.post, "/api/v1/cameras", body).status == 400)
            }
            #expect(try await ask(.get, "/api/v1/cameras").body["total"] == 0)
        }
    }

    @Test("A camera going offline and its events are each sent once")
    func told() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let id = try #require(try await ask(.post, "/api/v1/cameras", Self.porch).body["camera_id"]?.string)
            let cursor = try #require(try await ask(.get, "/api/v1/changes").body["next"]?.number)
            let cameras = house.hub.cameras

            for _ in 1...2 { await cameras.reportStatus(id, CameraStatus(isOnline: false, error: .stalled, since: house.clock.now)) }
            await cameras.report(CameraEvent(cameraID: id, kind: .motion, at: house.clock.now, zones: [], picture: nil))
            await cameras.report(CameraEvent(cameraID: "gone", kind: .motion, at: house.clock.now, zones: [], picture: nil))

            let told = try await ask(.get, "/api/v1/changes?after=\(Int(cursor))").body["changes"]?.array ?? []
            #expect(told.map { $0["type"] } == ["camera_update", "event"])
            #expect(told.first?["data"] == ["camera_id": .string(id), "is_online": false, "reason": "it stopped sending"])
            let seen = told.last?["data"]
            #expect(seen?["camera_id"] == .string(id) && seen?["camera_name"] == "Porch" && seen?["smart_detection_type"] == "motion")
        }
    }
}
