import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

/// Changes that anyone could make in a session left open, to open the door after that session has ended.
@Suite("Step-up for changes that widen access", .timeLimit(.minutes(10)))
struct StepUpAPITests {
    private static let opening =
        #"{"name":"Ajar","triggers":[{"type":"refused"}],"actions":[{"type":"control","device_id":"front-door","action":"unlock"}]}"#

    private struct Write {
        let method: HTTPRequest.Method
        let path: String
        let body: String?
        var done = 200
    }

    @Test("Each widening change needs a step-up in a stale session, changes nothing before, and succeeds after")
    func attacks() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, _) = try await house.resident("bea", role: "member", by: owner)
            let (_, guest, _) = try await house.guest(house.draft(), by: owner)
            let (_, _, _) = try await house.guest(house.draft(device: "back-door"), by: owner)
            let ask = TestAPIClient(client: client, token: tokens.access)
            #expect(try await ask(.post, "/api/v1/guests/\(guest)/suspend").status == 200)
            let closed = #"{"is_security_device":true,"is_guest_accessible":false}"#
            #expect(try await ask(.patch, "/api/v1/devices/back-door", closed).status == 200)
            let never = #"{"on":true,"control":"confirmed","open":"never"}"#
            #expect(try await ask(.put, "/api/v1/tags/policy", never).status == 200)
            let made = try await ask(.post, "/api/v1/automations", Self.opening.replacing(#""unlock""#, with: #""lock""#))
            let automation = try #require(made.body["automation_id"]?.string)
            let writes = [
                Write(method: .post, path: "/api/v1/automations", body: Self.opening, done: 201),
                Write(method: .put, path: "/api/v1/automations/\(automation)", body: Self.opening),
                Write(method: .post, path: "/api/v1/guests/\(guest)/resume", body: nil),
                Write(method: .patch, path: "/api/v1/devices/back-door", body: #"{"is_security_device":false}"#),
                Write(method: .patch, path: "/api/v1/devices/back-door", body: #"{"is_guest_accessible":true}"#),
                Write(method: .put, path: "/api/v1/tags/policy", body: #"{"on":true,"control":"confirmed","open":"confirmed"}"#),
                Write(
                    method: .post, path: "/api/v1/cameras",
                    body: #"{"name":"Porch","source":{"kind":"rtsp","url":"rtsp://192.168.1.20/s"}}"#,
                    done: 201),
            ]

            house.clock.advance(by: StepUp.validity + 1)
            for write in writes {
                let answer = try await ask(write.method, write.path, write.body)
                #expect(answer.status == 403 && answer.code == "step_up_required", "\(write.method) \(write.path): \(answer.body)")
                let entry = try await house.hub.activity.entries(.init(limit: 1), seenBy: owner).first
                #expect(entry?.result == "refused" && entry?.reason == "step_up_required", "\(write.path)")
            }
            let warned = try await ask(.post, "/api/v1/automations", Self.opening).body["error"]
            #expect(warned?["details"]?["opens_on"] == ["refusal"])
            #expect(warned?["message"]?.string?.contains("Anyone who tries the door and is refused can open it.") == true)
            #expect(try await ask(.get, "/api/v1/automations").body["automations"]?.array.count == 1)
            #expect(try await ask(.get, "/api/v1/cameras").body["cameras"]?.array.isEmpty == true)

            let password = #"{"password":"\#(TestHouse.password.reveal())"}"#
            #expect(try await ask(.post, "/api/v1/auth/step-up", password).status == 200)
            for write in writes {
                let answer = try await ask(write.method, write.path, write.body)
                #expect(answer.status == write.done, "\(write.method) \(write.path): \(answer.body)")
            }
        }
    }

    @Test("Narrowing changes, single approvals and own settings need no step-up")
    func daily() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let (_, guest, _) = try await house.guest(house.draft(), by: owner)
            let (visitor, _, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            let ask = TestAPIClient(client: client, token: tokens.access)
            let made = try await ask(.post, "/api/v1/automations", Self.opening)
            let automation = try #require(made.body["automation_id"]?.string)
            house.clock.advance(by: StepUp.validity + 1)

            let command = try await house.submit(house.open(as: visitor))
            #expect(try await ask(.post, "/api/v1/commands/\(command.id)/approve").status == 200)
            #expect(try await ask(.put, "/api/v1/devices/front-door/control", #"{"action":"unlock"}"#).status == 200)
            #expect(try await ask(.post, "/api/v1/guests/\(guest)/suspend").status == 200)
            #expect(try await ask(.patch, "/api/v1/devices/front-door", #"{"name":"Street door"}"#).status == 200)
            #expect(try await ask(.patch, "/api/v1/devices/front-door", #"{"is_security_device":true}"#).status == 200)
            #expect(try await ask(.put, "/api/v1/tags/policy", #"{"on":false,"control":"never","open":"never"}"#).status == 200)
            // The same automation under another name, and with an extra condition.
            let named = Self.opening.replacing("Ajar", with: "Wide open")
            #expect(try await ask(.put, "/api/v1/automations/\(automation)", named).status == 200)
            let narrower = named.replacing(
                #""actions""#, with: #""conditions":[{"type":"time","from":"08:00","to":"18:00"}],"actions""#)
            #expect(try await ask(.put, "/api/v1/automations/\(automation)", narrower).status == 200)
            let wider = try await ask(.put, "/api/v1/automations/\(automation)", named)
            #expect(wider.status == 403 && wider.code == "step_up_required")
            #expect(try await ask(.delete, "/api/v1/automations/\(automation)").status == 204)
        }
    }
}
