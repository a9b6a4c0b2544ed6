import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("Tags API", .timeLimit(.minutes(10)))
struct TagsAPITests {
    private static let uid = Data([0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40])

    private func button(_ owner: TestAPIClient, _ device: String, _ action: String) async throws -> String {
        let made = try await owner(
            .post, "/api/v1/buttons", #"{"title":"Button","action":{"device_id":"\#(device)","action":"\#(action)"}}"#)
        return try #require(made.body["button_id"]?.string)
    }

    /// A tag that proves its touches, and its chip.
    private func sun(_ owner: TestAPIClient, for button: String, _ more: String = "") async throws -> (id: String, chip: SoftwareTag) {
        let made = try await owner(
            .post, "/api/v1/tags", #"{"kind":"sun","button_id":"\#(button)","uid":"\#(Hexadecimal.encode(Self.uid))"\#(more)}"#)
        func key(_ name: String) throws -> TagKey { try TagKey(hex: Secret(#require(made.body[name]?.string))) }
        return (try #require(made.body["tag_id"]?.string), SoftwareTag(uid: Self.uid, meta: try key("meta_key"), file: try key("file_key")))
    }

    private func preview(_ who: TestAPIClient, _ url: String) async throws -> JSONValue {
        try await who(.post, "/api/v1/tags/look", #"{"url":"\#(url)"}"#).body
    }

    private func tap(_ who: TestAPIClient, _ url: String) async throws -> JSONValue {
        try await who(.post, "/api/v1/tags/tap", #"{"url":"\#(url)","confirm":true}"#).body
    }

    /// The page that a tag opens sends no tap if the preview gives a reason. It once gave the owner one as well, so after a restore no page
    /// could resynchronize a tag.
    @Test("After a restore a tag is refused for members until a permitted person's tap re-syncs it")
    func readIn() async throws {
        try await HubTransport.live.run { house, _, client in
            let (who, tokens) = try await house.claim()
            let owner = TestAPIClient(client: client, token: tokens.access)
            let member = TestAPIClient(client: client, token: try await house.resident("ada", role: "member", by: who).tokens.access)
            var (_, chip) = try await sun(owner, for: button(owner, "hall-light", "on"))
            try await house.store.write { try $0.execute(sql: "UPDATE tags SET unsynced_at = 1 WHERE kind = 'sun'") }

            let touch = try chip.touch()
            #expect(try await preview(member, touch)["reason"] == "not_read_in")
            #expect(try await tap(member, touch)["reason"] == "not_read_in")
            let seen = try await preview(owner, touch)
            #expect(seen["reason"] == .null && seen["at_once"] == false && seen["action"]?["title"] == "Button")
            #expect(try await tap(owner, touch)["reason"] == "read_in")

            house.clock.advance(by: 3)
            #expect(try await tap(member, chip.touch())["accepted"] == true)
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    /// A message may be the only secret that a device requires, and it was once shown to every member of the house.
    @Test("A button's MQTT message is blank for members, and the blank version has its own ETag")
    func message() async throws {
        try await HubTransport.live.run { house, _, client in
            let (who, tokens) = try await house.claim()
            let owner = TestAPIClient(client: client, token: tokens.access)
            let member = TestAPIClient(client: client, token: try await house.resident("ada", role: "member", by: who).tokens.access)
            let body = #"{"title":"Garage","publish":{"topic":"home/garage","message":"sesame"}}"#
            let id = try #require(try await owner(.post, "/api/v1/buttons", body).body["button_id"]?.string)
            let path = "/api/v1/buttons/\(id)"

            let (whole, blank) = (try await owner(.get, path), try await member(.get, path))
            let (all, blanks) = (try await owner(.get, "/api/v1/buttons"), try await member(.get, "/api/v1/buttons"))

            #expect(whole.body["publish"]?["message"] == "sesame" && whole.entityTag == #""1""#)
            #expect(blank.body["publish"]?["message"] == "" && blank.body["publish"]?["topic"] == "home/garage")
            #expect(all.body["buttons"]?.array.first?["publish"]?["message"] == "sesame")
            #expect(blanks.body["buttons"]?.array.first?["publish"]?["message"] == "")
            #expect(try await member(.get, path, ifNoneMatch: blank.entityTag).status == 304)
            #expect(try await owner(.get, path, ifNoneMatch: blank.entityTag).status == 200)
            // Nor is the empty body taken for the button itself and stored in its place.
            #expect(try await member(.put, path, body, ifMatch: whole.entityTag).status == 403)
            #expect(try await owner(.put, path, body, ifMatch: blank.entityTag).status == 412)
            #expect(try await owner(.put, path, body, ifMatch: whole.entityTag).body["publish"]?["message"] == "sesame")
        }
    }

    @Test("Acknowledging an alarm is a request of its own and renews nothing, as does a label alone")
    func seen() async throws {
        try await HubTransport.live.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let owner = TestAPIClient(client: client, token: tokens.access)
            let light = try await button(owner, "hall-light", "on")
            let (id, _) = try await sun(owner, for: light)
            let other = #"{"title":"Button","action":{"device_id":"hall-light","action":"off"}}"#
            #expect(try await owner(.put, "/api/v1/buttons/\(light)", other, ifMatch: #""1""#).status == 200)
            try await house.store.write { try $0.execute(sql: "UPDATE tags SET alarmed_at = 1") }

            let both = try await owner(.put, "/api/v1/tags/\(id)", #"{"alarm_seen":true,"label":"Gate"}"#)
            let seen = try await owner(.put, "/api/v1/tags/\(id)", #"{"alarm_seen":true}"#)

            #expect(both.status == 400 && both.code == "validation_error")
            #expect(seen.status == 200 && seen.body["alarmed_at"] == .null && seen.body["outdated"] == true)

            let labelled = try await owner(.put, "/api/v1/tags/\(id)", #"{"label":"Gate"}"#)
            #expect(labelled.body["label"] == "Gate" && labelled.body["outdated"] == true, "nor does another label")
            let renewed = try await owner(.put, "/api/v1/tags/\(id)", #"{"label":"Wall","button_version":2}"#)
            #expect(renewed.body["label"] == "Wall" && renewed.body["outdated"] == false)
        }
    }

    /// The settings said that a touch is enough, and the page was not told so.
    @Test("A scan reports whether a touch suffices: for comfort if the policy allows it, never for a door")
    func enough() async throws {
        try await HubTransport.live.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let owner = TestAPIClient(client: client, token: tokens.access)
            let light = try await button(owner, "hall-light", "on")
            var (_, chip) = try await sun(owner, for: try await button(owner, "front-door", "unlock"))
            let tag = try await owner(.post, "/api/v1/tags", #"{"kind":"static","button_id":"\#(light)"}"#)
            let sticker = try #require(tag.body["url"]?.string)

            #expect(try await preview(owner, sticker)["at_once"] == false)
            #expect(try await owner(.put, "/api/v1/tags/policy", #"{"on":true,"control":"at_once","open":"at_once"}"#).status == 200)
            #expect(try await preview(owner, sticker)["at_once"] == true)
            #expect(try await preview(owner, chip.touch())["at_once"] == false)
        }
    }
}
