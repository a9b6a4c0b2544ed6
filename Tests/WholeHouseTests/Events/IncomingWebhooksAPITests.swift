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

@Suite("Webhooks API", .timeLimit(.minutes(10)))
struct IncomingWebhooksAPITests {
    private struct CreatedWebhook {
        let id: String
        /// `/hook/…`
        let path: String
        let secret: String
    }

    private func make(_ ask: TestAPIClient, _ body: String) async throws -> CreatedWebhook {
        let made = try await ask(.post, "/api/v1/webhooks", body)
        let url = try #require(made.body["url"]?.string)
        let path = try #require(URL(string: url)).path()
        return CreatedWebhook(
            id: try #require(made.body["webhook_id"]?.string), path: path,
            secret: try #require(path.split(separator: "/").last.map(String.init)))
    }

    @Test("A webhook URL is shown once, accepts GET, POST and PUT, and nothing after its revocation")
    func life() async throws {
        try await TestHouse.open { house in
            let application = house.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
            try await application.test(.router) { client in
                let (_, tokens) = try await house.claim()
                let ask = TestAPIClient(client: client, token: tokens.access)
                let made = try await make(ask, #"{"name":"Bell","make":"shelly","camera_id":"front-door"}"#)

                func report(_ method: HTTPRequest.Method, _ more: String, _ body: String? = nil) async throws -> HTTPResponse.Status {
                    let answer = try await client.executeRequest(
                        uri: made.path + more, method: method, headers: [:], body: body.map(ByteBuffer.init(string:)))
                    return answer.status
                }
                #expect(try await report(.get, "") == .ok)
                #expect(try await report(.get, "/motion?x=1") == .ok)
                #expect(try await report(.post, "", #"{"type":"package"}"#) == .ok)
                #expect(try await report(.put, "/person") == .ok)
                #expect(try await report(.head, "/animal") == .notFound)
                #expect(try await report(.delete, "") == .methodNotAllowed)
                #expect(try await report(.get, "/a%20b%2Fc") == .notFound)
                let events = try await ask(.get, "/api/v1/mobile/events").body["events"]?.array ?? []
                #expect(Set(events.compactMap { $0["smart_detection_type"]?.string }) == ["ring", "motion", "package", "person"])
                #expect(events.allSatisfy { $0["camera_id"] == "front-door" })

                let list = try await ask(.get, "/api/v1/webhooks")
                #expect(list.body["total"] == 1 && list.body["is_plain"] == false)
                #expect(list.body["webhooks"]?.array.first?["url"] == nil)
                #expect(list.body["webhooks"]?.array.first?["last_used_at"]?.string != nil)
                #expect(try await ask(.post, "/api/v1/webhooks", #"{"name":"Bell","make":"acme"}"#).code == "validation_error")
                #expect(try await ask(.delete, "/api/v1/webhooks/\(made.id)").status == 204)
                #expect(try await report(.get, "") == .notFound)
                #expect(try await ask(.delete, "/api/v1/webhooks/\(made.id)").status == 404)
            }
        }
    }

    @Test("The plain HTTP listener serves only webhook paths, and no log line contains a secret")
    func plain() async throws {
        let log = LogRecorder()
        try await TestHouse.open(logger: log.logger) { house in
            let (owner, tokens) = try await house.claim()
            let door = try HubApplication(
                hub: house.hub, mind: house.mind, automations: house.automations, settings: HTTPSettings(hosts: []),
                address: CurrentPublicURL("https://house.test"),
                webhooks: CurrentPublicURL("http://192.168.1.2:8380"))
            let application = door.application(listen: .hostname("127.0.0.1", port: 0), logger: log.logger)
            let made = try await application.test(.router) { client in
                let ask = TestAPIClient(client: client, token: tokens.access)
                #expect(try await ask(.get, "/api/v1/webhooks").body["is_plain"] == true)
                return try await make(ask, #"{"name":"Yard","make":"hikvision","type":"motion"}"#)
            }
            let hooks = door.webhookApplication(listen: .hostname("127.0.0.1", port: 0), logger: log.logger)
            try await hooks.test(.router) { client in
                func ask(
                    _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], _ body: Data? = nil
                ) async throws -> HTTPResponse.Status {
                    try await client.executeRequest(
                        uri: path, method: method, headers: headers, body: body.map { ByteBuffer(data: $0) }
                    ).status
                }
                // Devices send any host that they know.
                let first = try await ask(.get, made.path)
                #expect(first == .ok)
                #expect(try await ask(.post, made.path + "/ring", [.contentType: "image/jpeg"], smallestJPEG) == .ok)
                #expect(try await ask(.post, made.path, [.contentType: "multipart/form-data; boundary=x"], Data("-".utf8)) == .badRequest)
                #expect(try await ask(.post, made.path, [:], Data(count: IncomingWebhookRequest.bodyLimit + 1)) == .contentTooLarge)
                #expect(try await ask(.get, "/hook/\(String(made.secret.reversed()))") == .notFound)
                for path in [
                    "/", "/healthz", "/metrics", "/api/v1/events", "/api/v1/webhooks", "/api/v1/auth/login", "/hook", made.path + "/a/b",
                ] {
                    for method in [HTTPRequest.Method.get, .post, .put, .delete, .patch] {
                        #expect(
                            try await ask(method, path, [.authorization: "Bearer \(tokens.access.reveal())"]) == .notFound,
                            "\(method) \(path)")
                    }
                }
                for method in [HTTPRequest.Method.head, .delete, .patch, .options] {
                    #expect(try await ask(method, made.path) == .notFound, "\(method)")
                }
            }
            let events = try await house.hub.events.page(.init(), seenBy: owner).events
            #expect(
                events.map(\.type).sorted { $0.rawValue < $1.rawValue } == [.motion, .ring] && events.allSatisfy { $0.place == "Yard" })
            #expect(log.entries.contains { $0.contains("route=/hook/{id}") })
            #expect(!log.entries.contains { $0.contains(made.secret) || $0.contains(String(made.secret.prefix(8))) })
        }
    }
}
