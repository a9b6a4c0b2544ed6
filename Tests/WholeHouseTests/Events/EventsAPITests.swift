import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

@testable import CardeaHTTP

@Suite("Events API", .timeLimit(.minutes(10)))
struct EventsAPITests {
    /// A house that stores pictures, with its owner.
    private func run(
        describer: (any PictureDescriber)? = nil,
        _ body: @escaping @Sendable (TestHouse, any TestClientProtocol, TestAPIClient, Principal) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let settings = EventSettings(pictures: folder, maker: PassthroughPictureMaker(), describer: describer)
            try await TestHouse.open(events: settings) { house in
                let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
                try await application.test(.router) { client in
                    let (owner, tokens) = try await house.claim()
                    try await body(house, client, TestAPIClient(client: client, token: tokens.access), owner)
                }
            }
        }
    }

    private func body(_ house: TestHouse, _ type: String = "person", _ more: String = "") -> String {
        #"{"source":"porch","type":"\#(type)","description":"Somebody with a parcel","occurred_at":"\#(Timestamp.text(house.clock.now))"\#(more)}"#
    }

    private static let image = #","image_base64":"\#(smallestJPEG.base64EncodedString())""#

    @Test("A script's event is listed and readable with text and picture, and gone after deletion")
    func life() async throws {
        try await run { house, client, ask, _ in
            let made = try await ask(.post, "/api/v1/events", body(house, "person", Self.image), key: "e-1")
            let again = try await ask(.post, "/api/v1/events", body(house, "person", Self.image), key: "e-1")
            let id = try #require(made.body["id"]?.string)
            let path = "/api/v1/mobile/events/\(id)"

            #expect(made.status == 201 && again.status == 201 && again.body["id"] == .string(id))
            #expect(again.headers[.init("Idempotent-Replayed") ?? .accept] == "true")
            #expect(made.body["thumbnail_url"] == .string(path + "/thumbnail") && made.body["has_thumbnail"] == true)
            #expect(made.body["camera_id"] == "porch" && made.body["camera_name"] == "porch" && made.body["source"] == "porch")
            let reused = try await ask(.post, "/api/v1/events", body(house, "animal"), key: "e-1")
            #expect(reused.status == 422)
            let list = try await ask(.get, "/api/v1/mobile/events")
            #expect(list.body["total_count"] == 1 && list.body["has_more"] == false && list.body["next_offset"] == nil)
            #expect(list.body["events"]?.array.first?["id"] == .string(id))
            #expect(try await ask(.get, "/api/v1/mobile/events/recent").body["events"]?.array.count == 1)
            #expect(try await ask(.get, path).body["is_doorbell_ring"] == false)
            #expect(try await ask(.get, "/api/v1/mobile/events?q=parcels").body["total_count"] == 1)
            #expect(try await ask(.get, "/api/v1/mobile/events?q=van").body["total_count"] == 0)
            let incidents = try await ask(.get, "/api/v1/incidents")
            #expect(incidents.body["incidents"]?.array.first?["incident_id"] == made.body["incident_id"])
            #expect(try await ask(.delete, "/api/v1/events/\(id)").status == 204)
            let gone = try await ask(.get, path)
            #expect(gone.status == 404 && gone.body["detail"] == "Event not found")
            #expect(try await ask(.get, path + "/thumbnail").status == 404)
            let unknown = try await ask(.delete, "/api/v1/events/\(id)")
            #expect(unknown.status == 404 && unknown.code == "not_found")
        }
    }

    @Test("An event picture needs authorization and supports ranges and ETags")
    func pictures() async throws {
        try await run { house, client, ask, _ in
            let id = try #require(try await ask(.post, "/api/v1/events", body(house, "ring", Self.image)).body["id"]?.string)
            let whole = smallestJPEG + Data(repeating: 2, count: 500)
            func picture(_ fields: HTTPFields, path: String? = nil) async throws -> (HTTPResponse.Status, HTTPFields, Data) {
                var fields = fields
                fields[.authorization] = "Bearer \(ask.token.reveal())"
                let answer = try await client.executeRequest(
                    uri: path ?? "/api/v1/mobile/events/\(id)/thumbnail", method: .get, headers: fields, body: nil)
                return (answer.status, answer.headers, Data(buffer: answer.body))
            }
            let (status, headers, data) = try await picture([:])
            let tag = try #require(headers[.eTag])

            #expect(status == .ok && data == whole && headers[.contentType] == "image/jpeg" && headers[.acceptRanges] == "bytes")
            #expect(headers[.cacheControl] == "no-store")
            let known = try await picture([.ifNoneMatch: tag])
            #expect(known.0 == .notModified && known.2.isEmpty && known.1[.eTag] == tag)
            for (range, expected) in [
                ("bytes=0-9", 0..<10), ("bytes=100-", 100..<whole.count), ("bytes=-5", whole.count - 5..<whole.count),
                ("bytes=5-99999999999999999999", 5..<whole.count), ("bytes=-99999", 0..<whole.count),
            ] {
                let part = try await picture([.range: range])
                #expect(part.0 == .partialContent && part.2 == whole[expected], "\(range)")
                let last = expected.upperBound - 1
                #expect(part.1[.contentRange] == "bytes \(expected.lowerBound)-\(last)/\(whole.count)", "\(range)")
            }
            for range in ["bytes=9-3", "bytes=0-1,3-4", "lines=1-2", "bytes=a-b", "bytes=-", "bytes=1"] {
                let ignored = try await picture([.range: range])
                #expect(ignored.0 == .ok && ignored.2 == whole, "\(range)")
            }
            let beyond = try await picture([.range: "bytes=\(whole.count)-"])
            #expect(beyond.0 == .rangeNotSatisfiable)
            let changed = try await picture([.range: "bytes=0-9", .ifRange: "\"another\""])
            #expect(changed.0 == .ok)
            let export = try await picture([:], path: "/api/v1/events/\(id)/picture")
            #expect(export.1[.contentDisposition] == "attachment; filename=\"\(id).jpg\"" && export.2.count == smallestJPEG.count + 1000)
        }
    }

    @Test("An invalid picture leaves no file, and the event is kept with its `picture_problem`")
    func hostile() async throws {
        try await withFolder { folder in
            let settings = EventSettings(pictures: folder, maker: PassthroughPictureMaker())
            try await TestHouse.open(events: settings) { house in
                let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
                try await application.test(.router) { client in
                    let (_, tokens) = try await house.claim()
                    let ask = TestAPIClient(client: client, token: tokens.access)
                    let pictures: [(String, PictureError)] = [
                        (Data("GIF89a".utf8).base64EncodedString(), .notJPEG), (Data([0xFF, 0xD8]).base64EncodedString(), .notJPEG),
                        (Data("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8).base64EncodedString(), .notJPEG),
                        ((smallestJPEG + [0xEE]).base64EncodedString(), .unreadable), ("***", .notBase64), ("", .empty),
                    ]
                    for (picture, problem) in pictures {
                        let made = try await ask(.post, "/api/v1/events", body(house, "person", #","image_base64":"\#(picture)""#))
                        let told: JSONValue = ["code": .string(problem.rawValue), "detail": .string(problem.detail)]
                        #expect(made.status == 201 && made.body["picture_problem"] == told, "\(picture): \(made.body)")
                        #expect(made.body["has_thumbnail"] == false && made.body["picture_url"] == nil)
                        let id = try #require(made.body["id"]?.string)
                        #expect(try await ask(.get, "/api/v1/mobile/events/\(id)").body["picture_problem"] == told)
                    }
                    let list = try await ask(.get, "/api/v1/mobile/events").body
                    #expect(list["total_count"] == JSONValue.number(Double(pictures.count)))
                    #expect(list["events"]?.array.allSatisfy { $0["picture_problem"]?["code"] != nil } == true)
                    let changes = try await ask(.get, "/api/v1/changes?after=0&limit=500").body["changes"]?.array ?? []
                    let seen = changes.first(where: { $0["type"] == "event" })
                    #expect(seen?["data"]?["picture_problem"]?["code"] == "not_jpeg")
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
                    // Base64 with line breaks, as mail programs and some cameras write it, is a picture.
                    let text = smallestJPEG.base64EncodedString()
                    let lines = "\(text.prefix(8))\\r\\n\(text.dropFirst(8))"
                    let taken = try await ask(.post, "/api/v1/events", body(house, "person", #","image_base64":"\#(lines)""#))
                    #expect(taken.body["has_thumbnail"] == true && taken.body["picture_problem"] == nil)
                    let number = try await ask(.post, "/api/v1/events", body(house, "person", #","image_base64":7"#))
                    #expect(number.status == 400)
                    let large = #","image_base64":"\#(String(repeating: "A", count: 6 << 20))""#
                    let tooLarge = try await ask(.post, "/api/v1/events", body(house, "person", large))
                    #expect(tooLarge.status == 413 && tooLarge.code == "payload_too_large")
                }
            }
        }
    }

    @Test("An invalid event is rejected by field, and every mobile error has a `detail`")
    func refused() async throws {
        try await run { house, client, ask, _ in
            let now = Timestamp.text(house.clock.now)
            for (body, field) in [
                (#"{"source":" ","type":"person","occurred_at":"\#(now)"}"#, "source"),
                (#"{"source":"a","camera_id":"\u202e","type":"person","occurred_at":"\#(now)"}"#, "camera_id"),
                (#"{"source":"a","type":"a b","occurred_at":"\#(now)"}"#, "type"),
                (#"{"source":"a","type":"person","confidence":101,"occurred_at":"\#(now)"}"#, "confidence"),
                (#"{"source":"a","type":"person","description":"\u0007","occurred_at":"\#(now)"}"#, "description"),
                (#"{"source":"a","type":"person","occurred_at":"2030-01-01T00:00:00Z"}"#, "occurred_at"),
                (#"{"source":"a","type":"person","occurred_at":"2020-01-01T00:00:00Z"}"#, "occurred_at"),
                (#"{"source":"a","type":"person"}"#, "occurred_at"),
                (#"{"source":"a","type":"person","occurred_at":"\#(now)","force":1}"#, "force"),
            ] {
                let answer = try await ask(.post, "/api/v1/events", body)
                #expect(answer.status == 400 && answer.body["error"]?["details"]?["field"] == .string(field), "\(answer.body)")
            }
            for query in [
                "limit=0", "limit=101", "limit=x", "offset=-1", "start_time=yesterday", "q=%20", "q=a+b+c+d+e+f+g+h+i", "cursor=-1",
                "cursor=!",
            ] {
                let answer = try await ask(.get, "/api/v1/mobile/events?\(query)")
                #expect(answer.status == 400 && answer.body["detail"]?.string?.isEmpty == false, "\(query) \(answer.body)")
            }
            #expect(try await ask(.get, "/api/v1/mobile/events/recent?limit=11").status == 400)
            let stranger = try await client.executeRequest(uri: "/api/v1/mobile/events", method: .get, headers: [:], body: nil)
            let told = try JSONDecoder().decode(JSONValue.self, from: Data(buffer: stranger.body))
            #expect(stranger.status == .unauthorized && told["detail"]?.string?.isEmpty == false)
            #expect(stranger.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
        }
    }

    @Test("Unknown event types are stored and filtered case-insensitively")
    func unknownTypes() async throws {
        try await run { house, client, ask, _ in
            for type in ["manual_trigger", "Face.Known", "ring"] {
                #expect(try await ask(.post, "/api/v1/events", body(house, type)).status == 201)
            }
            let list = try await ask(.get, "/api/v1/mobile/events?smart_detection_type=FACE.known")
            #expect(list.body["events"]?.array.map { $0["smart_detection_type"] } == ["face.known"] && list.body["total_count"] == 1)
            let all = try await ask(.get, "/api/v1/mobile/events")
            let read = try WireFormat.read(EventsAnswer.self, from: WireFormat.encode(all.body))
            #expect(Set(read.events.map(\.smartDetectionType.rawValue)) == ["manual_trigger", "face.known", "ring"])
        }
    }

    @Test("A token with the event right may only record events; members and other tokens may not record")
    func programs() async throws {
        try await run { house, client, ask, owner in
            let made = try await ask(
                .post, "/api/v1/auth/api-tokens", #"{"name":"Porch script","grants":[],"records_events":true,"role":"member"}"#)
            #expect(made.status == 201 && made.body["records_events"] == true)
            let script = TestAPIClient(client: client, token: Secret(try #require(made.body["token"]?.string)))
            #expect(try await ask(.post, "/api/v1/auth/api-tokens", #"{"name":"None","grants":[]}"#).status == 400)
            let other = try await ask(.post, "/api/v1/auth/api-tokens", #"{"name":"Display"}"#)
            let display = TestAPIClient(client: client, token: Secret(try #require(other.body["token"]?.string)))
            let (member, tokens) = try await house.resident("Ben", role: "member", by: owner)
            let ben = TestAPIClient(client: client, token: tokens.access)

            #expect(try await script(.post, "/api/v1/events", body(house)).status == 201)
            #expect(try await script(.get, "/api/v1/mobile/events").status == 403)
            #expect(try await script(.get, "/api/v1/devices").body["devices"]?.array.count == 0)
            #expect(try await script(.put, "/api/v1/devices/front-door/control", #"{"action":"unlock"}"#).status == 403)
            #expect(try await display(.post, "/api/v1/events", body(house)).status == 403)
            #expect(try await ben(.post, "/api/v1/events", body(house)).status == 403)
            #expect(try await ben(.post, "/api/v1/auth/api-tokens", #"{"name":"Mine","records_events":true}"#).status == 403)
            let list = try await ben(.get, "/api/v1/mobile/events")
            #expect(list.status == 200 && list.body["total_count"] == 1)
            let id = try #require(list.body["events"]?.array.first?["id"]?.string)
            #expect(try await ben(.delete, "/api/v1/events/\(id)").status == 403)
            // A token's permission ends with its maker's.
            #expect(try await ask(.delete, "/api/v1/auth/api-tokens/\(made.body["token_id"]?.string ?? "")").status == 204)
            #expect(try await script(.post, "/api/v1/events", body(house)).status == 401)
            withExtendedLifetime(member) {}
        }
    }

    private struct StubPictureDescriber: PictureDescriber {
        func describe(_ jpeg: Data) async -> PictureDescriptionResult { .text("A courier at the gate.") }
    }

    @Test("Generated descriptions are marked as such and sent as an update to those who may see events")
    func byMachine() async throws {
        try await run(describer: StubPictureDescriber()) { house, _, ask, _ in
            let told = try await ask(.post, "/api/v1/events", body(house, "package", Self.image))
            let mute = #"{"source":"porch","type":"person","occurred_at":"\#(Timestamp.text(house.clock.now))"\#(Self.image)}"#
            let id = try #require(try await ask(.post, "/api/v1/events", mute).body["id"]?.string)
            try await waitUntil { try await ask(.get, "/api/v1/mobile/events/\(id)").body["description"] != "" }

            let shown = try await ask(.get, "/api/v1/mobile/events/\(id)").body
            let found = try await ask(.get, "/api/v1/mobile/events?q=couriers").body
            let changes = try await ask(.get, "/api/v1/changes?after=0&limit=500").body["changes"]?.array ?? []

            #expect(shown["description"] == "A courier at the gate." && shown["description_source"] == "describer")
            #expect(found["total_count"] == 1 && found["events"]?.array.first?["description_source"] == "describer")
            #expect(told.body["description"] == "Somebody with a parcel" && told.body["description_source"] == nil)
            let seen = changes.filter { $0["type"]?.string?.hasPrefix("event") == true }
            #expect(seen.map { $0["type"] } == ["event", "event", "event_update"] && seen.last?["data"]?["id"] == .string(id))
            let fact = JournalEvent.Fact.eventUpdated(
                Event(
                    id: id, key: 1, source: "porch", cameraID: nil, cameraName: "porch", type: .person, confidence: nil, description: "",
                    incidentID: "x", hasPicture: true, createdAt: house.clock.now))
            #expect(
                Visibility.program(key: "token:1:2").filtered(
                    JournalEvent(seq: 1, at: house.clock.now, fact: fact)) == nil)
        }
    }

    @Test("Residents receive events as changes, programs do not")
    func told() async throws {
        try await run { house, client, ask, owner in
            let id = try #require(try await ask(.post, "/api/v1/events", body(house)).body["id"]?.string)
            #expect(try await ask(.delete, "/api/v1/events/\(id)").status == 204)
            let kept = try await ask(.post, "/api/v1/events", body(house, "package"))

            let changes = try await ask(.get, "/api/v1/changes?after=0&limit=500").body["changes"]?.array ?? []

            let seen = changes.filter { $0["type"]?.string?.hasPrefix("event") == true }
            #expect(seen.map { $0["type"] } == ["event_removed", "event"])
            #expect(seen.first?["data"] == ["event_id": .string(id)] && seen.last?["data"]?["id"] == kept.body["id"])
            #expect(
                Visibility.program(key: "token:1:2").filtered(
                    JournalEvent(seq: 1, at: house.clock.now, fact: .eventRemoved(id: id))) == nil)
        }
    }
}
