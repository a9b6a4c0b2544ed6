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

@Suite("OpenAPI document as served", .timeLimit(.minutes(10)))
struct APIContractTests {
    @Test("Every documented route is served once and requires a token exactly where documented")
    func routes() async throws {
        try await HubTransport.router.run { house, _, client in
            try await house.claim()
            let operations = try await OpenAPIContract.read(client).operations
            #expect(operations.count > 80)
            #expect(Set(operations.compactMap { $0.description["operationId"]?.string }).count == operations.count)
            for operation in operations {
                let path = operation.path.replacing("{id}", with: "nobody").replacing("{session_id}", with: "none")
                let answer = try await client.executeRequest(uri: path, method: operation.method, headers: [:], body: nil)
                let asksForToken = operation.description["security"]?.elements?.isEmpty == false
                #expect(answer.status != .methodNotAllowed && answer.status != .notFound, "\(operation.method) \(operation.path)")
                // Without any credential, `refresh` has no caller either.
                if asksForToken || operation.path == "/api/v1/auth/refresh" {
                    #expect(answer.status == .unauthorized, "\(operation.method) \(operation.path)")
                } else {
                    #expect(answer.status != .unauthorized, "\(operation.method) \(operation.path)")
                }
            }
        }
    }

    @Test("An unknown method gives 405 on a known path and 404 on an unknown one")
    func unheardMethods() async throws {
        // QUERY on every path once got 404, as if the path did not exist: found by Schemathesis.
        try await HubTransport.router.run { _, _, client in
            let query = try #require(HTTPRequest.Method(rawValue: "QUERY"))
            let known = try await client.executeRequest(uri: "/api/v1/claim", method: query, headers: [:], body: nil)
            let unknown = try await client.executeRequest(uri: "/api/v1/nothing", method: query, headers: [:], body: nil)
            #expect(known.status == .methodNotAllowed && known.headers[.allow] == "GET, HEAD, POST")
            #expect(unknown.status == .notFound)
        }
    }

    @Test("Every reference in both documents resolves, and every example matches its schema")
    func documents() async throws {
        try await HubTransport.router.run { _, _, client in
            for path in ["/openapi.json", "/asyncapi.json"] {
                let answer = try await client.executeRequest(uri: path, method: .get, headers: [:], body: nil)
                let document = try JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))
                #expect(document.references.allSatisfy { document.at($0) != nil }, "\(path)")
                for (name, schema) in document["components"]?["schemas"]?.members ?? [:] {
                    for example in schema["examples"]?.elements ?? [] {
                        #expect(JSONSchemaValidator(document: document).problems(of: example, schema) == [], "\(name)")
                    }
                }
                let tag = try #require(answer.headers[.eTag])
                let again = try await client.executeRequest(uri: path, method: .get, headers: [.ifNoneMatch: tag], body: nil)
                #expect(again.status == .notModified && again.body.readableBytes == 0)
            }
        }
    }

    @Test("Values outside length, range, count or pattern limits violate the contract")
    func bounds() {
        let bounded: [(schema: Schema, right: [JSONValue], wrong: [JSONValue])] = [
            (Schema.text(2...3), ["ab", "abc"], ["a", "abcd"]),
            (Schema.text(2...3).orNull, [.null, "ab"], ["a"]),
            (Schema.text(matching: "^[0-9]*$", example: "1"), ["", "12"], ["a", "12a"]),
            (Schema.text(matching: "[0-9]", example: "1"), ["a1b"], ["ab", ""]),
            (Schema.integer(1...3), [1, 3], [0, 4]),
            (Schema.integer(from: 2), [2, 9000], [1]),
            (Schema.number(0.5...1), [0.5, 1], [0.25, 1.5]),
            (Schema.list(of: .boolean, 1...2), [[true], [true, false]], [[], [true, true, true]]),
            (Schema.map(of: .boolean, atMost: 1), [[:], ["a": true]], [["a": true, "b": true]]),
        ]
        let shape = JSONSchemaValidator(document: .null)
        for (schema, right, wrong) in bounded {
            for value in right { #expect(shape.problems(of: value, schema.json) == []) }
            for value in wrong { #expect(shape.problems(of: value, schema.json).count == 1, "\(value)") }
        }
    }

    @Test("The protocol history matches docs/protocol.md")
    func history() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/protocol.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.wholeMatch(of: /\| \d+\.\d+ \| \d{4}-\d\d-\d\d \| .*/) != nil }
        #expect(rows.count == ProtocolHistory.entries.count)
        for (row, entry) in zip(rows, ProtocolHistory.entries) {
            #expect(row.hasPrefix("| \(entry.name) | \(entry.date) |"), "\(entry.name)")
        }
        #expect(ProtocolHistory.latest.name.hasPrefix("\(WireFormat.version)."))
    }

    @Test("The fields of each request body are exactly those the hub reads")
    func bodies() {
        func agrees<Body: WireFormat.Body & SchemaRepresentable>(_: Body.Type) {
            let named = Body.schema.fields
            #expect(named == Set(Body.CodingKeys.allCases.map(\.stringValue)), "\(Body.self)")
        }
        agrees(ClaimBody.self)
        agrees(AskHouseBody.self)
        agrees(StartInterviewBody.self)
        agrees(InterviewMessageBody.self)
        agrees(ConfirmCandidatesBody.self)
        agrees(TwinBody.self)
        agrees(TwinPlanBody.self)
        agrees(WhatIfBody.self)
        agrees(AutomationBody.self)
        agrees(AutomationTrialBody.self)
        agrees(PresenceBody.self)
        agrees(PresenceSourceBody.self)
        agrees(AuditExportBody.self)
        agrees(LoginBody.self)
        agrees(RefreshBody.self)
        agrees(RevokeSessionsBody.self)
        agrees(StepUpBody.self)
        agrees(MakeAPITokenBody.self)
        agrees(RegisterPasskeyBody.self)
        agrees(PasskeyLoginBody.self)
        agrees(RenamePasskeyBody.self)
        agrees(RecoveryBody.self)
        agrees(InvitePersonBody.self)
        agrees(AcceptInvitationBody.self)
        agrees(ChangePersonBody.self)
        agrees(ChangePasswordBody.self)
        agrees(PreferencesBody.self)
        agrees(ExplainBody.self)
        agrees(InviteGuestBody.self)
        agrees(RecordEventBody.self)
        agrees(PairBody.self)
        agrees(ValidateBody.self)
        agrees(GuestActionBody.self)
        agrees(CancelActionBody.self)
        agrees(ChangeDeviceBody.self)
        agrees(ControlBody.self)
        agrees(DeviceActionBody.self)
        agrees(BatchControlBody.self)
        agrees(SceneBody.self)
        agrees(ChangeHouseBody.self)
        agrees(RoomBody.self)
        agrees(MQTTSettingsBody.self)
        agrees(HomeAssistantSettingsBody.self)
        agrees(VirtualFaultBody.self)
        agrees(AddCameraBody.self)
        agrees(ChangeCameraBody.self)
        agrees(MakeWebhookBody.self)
        agrees(ButtonBody.self)
        agrees(AddTagBody.self)
        agrees(TagLinkNames.self)
        agrees(RenewTagBody.self)
        agrees(TagPolicyBody.self)
        agrees(InspectTagBody.self)
        agrees(TapBody.self)
    }

    @Test("The contract lists exactly the journal's event types")
    func events() async throws {
        #expect(Set(RealtimeEvent.allCases.map(\.rawValue)) == Set(JournalEvent.Name.allCases.map(\.rawValue)))
        try await HubTransport.router.run { _, _, client in
            let answer = try await client.executeRequest(uri: "/asyncapi.json", method: .get, headers: [:], body: nil)
            let document = try JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))
            let told = Set(document["channels"]?["realtime"]?["messages"]?.members.keys ?? [:].keys)
            let fixed: Set = ["subscribe", "ping", "init", "subscribed", "pong", "error", "gap", "snapshot"]
            let source = [
                "init_complete", "pong", "error", "device_update", "device_removed", "batch_device_update", "status_update",
                "consciousness_query", "interview_update",
            ].map { "source_\($0)" }
            #expect(told == fixed.union(JournalEvent.Name.allCases.map(\.rawValue)).union(source))
            for (name, operation) in document["operations"]?.members ?? [:] {
                let channel = try #require(operation["channel"]?["$ref"]?.string, "\(name)")
                #expect(
                    operation["messages"]?.elements?.allSatisfy { $0["$ref"]?.string?.hasPrefix(channel + "/messages/") == true } == true)
            }
        }
    }

    @Test("Answers of a full guest visit match the contract")
    func guestFamily() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (codes, _) = try await house.hub.guests.invite(house.draft(uses: 2), by: owner, call: nil, origin: .house)
            let contract = try await OpenAPIContract.read(client)
            func ask(_ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil) async throws -> JSONValue {
                var headers: HTTPFields = [:]
                if let token { headers[.authorization] = "Bearer \(token)" }
                if body != nil { headers[.contentType] = "application/json" }
                let answer = try await client.executeRequest(
                    uri: path, method: method, headers: headers, body: body.map(ByteBuffer.init(string:)))
                let json = try JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))
                #expect(contract.problems(method, path, status: answer.status.code, json) == [])
                return json
            }

            _ = try await ask(.post, "/api/guest_access/pair", #"{"pairing_code":"WRONG12345"}"#)
            _ = try await ask(.post, "/api/guest_access/pair/scanned", #"{"pairing_code":"\#(codes.linkCode.reveal())"}"#)
            let pass = try await ask(.post, "/api/guest_access/pair", #"{"pairing_code":"\#(codes.linkCode.reveal())"}"#)
            let token = try #require(pass["guest_token"]?.string)
            _ = try await ask(.post, "/api/guest_access/token/validate", #"{"guest_token":"\#(token)"}"#)
            _ = try await ask(.get, "/api/guest_access/pass", token: token)
            _ = try await ask(.get, "/api/guest_access/states", token: token)
            for _ in 1...3 { _ = try await ask(.post, "/api/guest_access/action", #"{"action":"door.open"}"#, token: token) }
            _ = try await ask(.post, "/api/guest_access/action", #"{"action":"light.on"}"#, token: token)
            _ = try await ask(.get, "/api/guest_access/pass")
        }
    }
}

extension Schema {
    /// The names of an object's fields, including nested ones.
    fileprivate var fields: Set<String> { Self.fields(json) }

    private static func fields(_ json: JSONValue) -> Set<String> {
        let parts = (json["allOf"]?.elements ?? []).reduce(into: Set<String>()) { $0.formUnion(fields($1)) }
        return parts.union(json["properties"]?.members.keys ?? [:].keys)
    }
}
