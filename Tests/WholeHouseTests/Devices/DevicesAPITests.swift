import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Devices API", .timeLimit(.minutes(10)))
struct DevicesAPITests {
    @Test("A device is renamed, described and assigned to a room with If-Match")
    func edit() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            _ = try await ask(.post, "/api/v1/rooms", #"{"name":"Hall"}"#)
            let path = "/api/v1/devices/hall-light"
            let seen = try #require(try await ask(.get, path).entityTag)

            let changed = try await ask(
                .patch, path, #"{"name":"  Dad’s lämp 💡 ","user_description":"Above the stairs","room_id":"hall"}"#, ifMatch: seen)

            #expect(changed.status == 200 && changed.body["name"] == "Dad’s lämp 💡" && changed.body["room"] == "Hall")
            #expect(changed.body["user_description"] == "Above the stairs" && changed.entityTag != seen)
            #expect(try await ask(.get, path, ifNoneMatch: changed.entityTag).status == 304)
            let stale = try await ask(.patch, path, #"{"name":"Lamp"}"#, ifMatch: seen)
            #expect(stale.status == 412 && stale.body["error"]?["details"]?["current"]?["room"] == "Hall")
            let me = try await ask(.get, "/api/v1/people/me").body["name"]
            #expect(stale.body["error"]?["details"]?["changed_by"] == me && me != nil)
            // Since its integration described it again, no person is named for earlier actions.
            var described = try #require(house.hub.devices.device("hall-light"))
            described.manufacturer = "Lamp works"
            try await house.hub.devices.announce(described)
            let late = try await ask(.patch, path, #"{"name":"Lamp"}"#, ifMatch: seen)
            #expect(late.status == 412 && late.body["error"]?["details"]?["changed_by"] == nil)
            let bare = try await ask(.patch, path, #"{"user_description":null,"room_id":null}"#)
            #expect(bare.body["user_description"] == .null && bare.body["room_id"] == .null && bare.body["name"] == "Dad’s lämp 💡")
            for (name, reason) in [
                ("  ", "empty"), (String(repeating: "x", count: 101), "too_long"), ("a\\u202eb", "invalid_characters"),
                ("a\\u0007b", "invalid_characters"),
            ] {
                let answer = try await ask(.patch, path, #"{"name":"\#(name)"}"#)
                #expect(answer.status == 400 && answer.body["error"]?["details"]?["reason"] == .string(reason))
            }
            #expect(try await ask(.patch, path, #"{"room_id":"cellar"}"#).status == 400)
            #expect(try await ask(.patch, path, #"{"user_description":"\#(String(repeating: "x", count: 501))"}"#).status == 400)
            #expect(try await ask(.patch, "/api/v1/devices/nowhere", #"{"name":"A"}"#).status == 404)
        }
    }

    @Test("A state report changes the ETag of a device but does not make an edit stale")
    func chatty() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let path = "/api/v1/devices/hall-light"
            let seen = try await ask(.get, path)
            let tag = try #require(seen.entityTag)

            try await house.hub.devices.report([
                EntityReport(entityID: "light.hall", state: EntityState("on", attributes: ["brightness": 70]))
            ])

            let news = try await ask(.get, path, ifNoneMatch: tag)
            #expect(news.status == 200 && news.body["version"] == seen.body["version"] && news.body["revision"] != seen.body["revision"])
            #expect(try await ask(.get, path, ifNoneMatch: news.entityTag).status == 304)
            let named = try await ask(.patch, path, #"{"name":"Lamp"}"#, ifMatch: tag)
            #expect(named.status == 200)
            // The version in the body is as good as the entity tag.
            let version = Int(named.body["version"]?.number ?? 0)
            #expect(try await ask(.patch, path, #"{"name":"Lamp 2"}"#, ifMatch: "\"\(version)\"").status == 200)
            for stale in [tag, "\"\(version)\"", "\"x.1\"", "\".\"", "W/\"\(version + 1)\""] {
                #expect(try await ask(.patch, path, #"{"name":"Late"}"#, ifMatch: stale).status == 412, "\(stale)")
            }
        }
    }

    @Test("A deleted device is gone, and a new announcement restores it with its announced name")
    func remove() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let found = try #require(house.hub.devices.device("front-door"))
            _ = try await house.hub.devices.edit("front-door", .init(name: "Door", isSecurityDevice: true), by: owner, origin: .house)
            let (_, member) = try await house.resident("Ben", role: "member", by: owner)

            #expect(try await TestAPIClient(client: client, token: member.access)(.delete, "/api/v1/devices/front-door").status == 403)
            #expect(try await ask(.delete, "/api/v1/devices/front-door", ifMatch: "\"99\"").status == 412)
            #expect(try await ask(.delete, "/api/v1/devices/front-door").status == 204)
            #expect(try await ask(.get, "/api/v1/devices/front-door").status == 404)
            #expect(try await ask(.get, "/api/v1/devices").body["total"] == 3)
            #expect(try await ask(.delete, "/api/v1/devices/front-door").status == 404)
            #expect(try await ask(.put, "/api/v1/devices/front-door/control", #"{"action":"lock"}"#).status == 404)

            try await house.hub.devices.announce(found)
            let back = try await ask(.get, "/api/v1/devices/front-door")
            #expect(back.body["name"] == "Front door" && back.body["is_security_device"] == true)
            #expect(back.body["version"]?.number ?? 0 > 2)

            // A device that its integration has withdrawn can be deleted as well.
            try await house.hub.devices.withdraw(deviceID: "back-door", integration: "scripted")
            #expect(try await ask(.delete, "/api/v1/devices/back-door").status == 204)
        }
    }

    @Test("Devices are filtered by type, room and name, with paging")
    func filters() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            _ = try await ask(.post, "/api/v1/rooms", #"{"name":"Flur"}"#)
            _ = try await house.hub.devices.edit("hall-light", .init(name: "Lämpchen", room: .room("flur")), by: owner, origin: .house)
            func found(_ query: String) async throws -> [String] {
                try await ask(.get, "/api/v1/devices?\(query)").body["devices"]?.array.compactMap { $0["device_id"]?.string } ?? []
            }

            for (query, devices) in [
                ("device_class=security", ["front-door", "back-door"]), ("type=sensor", ["hall-sensor"]), ("kind=light", ["hall-light"]),
                ("room=flur", ["hall-light"]), ("location=FLUR", ["hall-light"]), ("q=LAMP", ["hall-light"]),
                ("q=door%20back", ["back-door"]), ("q=zzz", []), ("integration=scripted&limit=2&offset=1", ["back-door", "hall-light"]),
                ("offset=9", []),
            ] {
                #expect(try await found(query) == devices, "\(query)")
            }
            let page = try await ask(.get, "/api/v1/devices?device_class=security&limit=1")
            #expect(page.body["total"] == 2 && page.body["filters_applied"] == ["type": "security"])
            let other = try await ask(.get, "/api/v1/devices?device_class=security&limit=1&offset=1", ifNoneMatch: page.entityTag)
            #expect(other.status == 200)
            let same = try await ask(.get, "/api/v1/devices?device_class=security&limit=1", ifNoneMatch: page.entityTag)
            #expect(same.status == 304)
            for bad in ["limit=0", "limit=x", "offset=-1", "kind=door", "device_class=thing", "status=asleep"] {
                #expect(try await ask(.get, "/api/v1/devices?\(bad)").status == 400, "\(bad)")
            }
        }
    }

    @Test("A device lists known values, and null for unknown ones")
    func fields() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            try await house.hub.devices.announce(
                Device(
                    id: "blind", name: "Blind", deviceClass: .appliance, integration: "scripted", stateChangedAt: house.clock.now,
                    discovery: "mqtt_discovery", hubID: "bridge",
                    entities: [Entity(id: "cover.blind", kind: .cover, name: "Blind", verbs: [.open, .close, .setPosition])]))

            let light = try await ask(.get, "/api/v1/devices/hall-light").body
            let blind = try await ask(.get, "/api/v1/devices/blind").body

            #expect(light["current_state"]?["power"] == "off" && light["current_state"]?["brightness"] == 10)
            for name in ["color", "temperature", "humidity", "motion", "open_closed", "locked"] {
                #expect(light["current_state"]?[name] == .null, "\(name)")
            }
            #expect(light["current_state"]?["custom_attributes"] == [:])
            #expect(light["supported_features"] == ["brightness", "power"])
            #expect(light["hub_id"] == .null && light["requires_hub"] == .null && light["user_description"] == .null)
            #expect(blind["hub_id"] == "bridge" && blind["requires_hub"] == true && blind["discovery_method"] == "mqtt_discovery")
            #expect(blind["discovery_confidence"] == 1)
            #expect(blind["supported_features"] == ["open_close", "position"])
            #expect(try await ask(.get, "/api/v1/devices/hall-sensor").body["supported_features"] == ["temperature"])
            let range = try await ask(.put, "/api/v1/devices/hall-light/control", #"{"action":"set_brightness","value":140}"#)
            #expect(range.code == "validation_error" && range.body["error"]?["message"]?.string?.contains("0 to 100") == true)
        }
    }

    @Test("A lamp lists its color temperature range, and values beyond it are rejected singly and in scenes")
    func whites() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            let attributes: [String: JSONValue] = [
                "supported_color_modes": ["color_temp"], "min_color_temp_kelvin": 2200, "max_color_temp_kelvin": 4000,
            ]
            let lamp = Entity(
                id: "light.desk", kind: .light, name: "Desk lamp", verbs: [.on, .off, .setColor],
                state: EntityState("on", attributes: attributes))
            try await house.hub.devices.announce(
                Device(
                    id: "desk-lamp", name: "Desk lamp", deviceClass: .light, integration: "scripted", status: .online,
                    stateChangedAt: house.clock.now, entities: [lamp]))
            let path = "/api/v1/devices/desk-lamp"

            let told = try await ask(.get, path).body
            let cold = try await ask(.put, path + "/control", #"{"action":"set_color","value":{"temperature":6500}}"#)
            let scene = #"{"name":"Work","actions":[{"device_id":"desk-lamp","action":"set_color","value":{"temperature":6500}}]}"#

            #expect(told["capabilities"]?["set_color"] == ["temperature": ["minimum": 2200, "maximum": 4000]])
            #expect(cold.status == 400 && cold.code == "validation_error")
            #expect(cold.body["error"]?["message"]?.string?.contains("2200 to 4000") == true)
            #expect(try await ask(.post, "/api/v1/scenes", scene).status == 400)
            let warm = #"{"action":"set_color","value":{"temperature":2700}}"#
            #expect(try await ask(.put, path + "/control", warm, prefer: "respond-async").status == 202)
        }
    }
}
