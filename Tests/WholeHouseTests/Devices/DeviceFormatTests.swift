import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Devices in the source contract's format", .timeLimit(.minutes(10)))
struct DeviceFormatTests {
    @Test("Accept with the media type selects that format by weight; any other selects the default")
    func accept() async throws {
        let (own, json) = (SourceDocument.mediaType, "application/json")
        let tries: [(accept: String?, isSource: Bool)] = [
            (nil, false), ("*/*", false), (json, false), ("application/*", false), ("text/html", false), (own, true), ("\(own), */*", true),
            ("\(own), \(json)", true), ("\(json);q=0.9, \(own)", true), ("\(json), \(own);q=0.8", false), ("*/*, \(own);q=0.8", false),
            ("*/*;q=0.1, \(own.uppercased()) ; q=0.2", true), ("\(own);q=0", false), ("\(own);q=most", false), (",;, \(own)", true),
        ]
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            for path in ["/api/v1/devices", "/api/v1/devices/hall-light"] {
                for (accept, isSource) in tries {
                    let answer = try await ask(.get, path, accept: accept)
                    #expect(answer.status == 200 && answer.headers[.vary] == "Accept", "\(accept ?? "none")")
                    #expect(answer.headers[.contentType] == (isSource ? own : json), "\(accept ?? "none")")
                }
            }
            let alias = try await client.executeRequest(
                uri: "/v1/devices", method: .get, headers: [.authorization: "Bearer \(tokens.access.reveal())", .accept: own], body: nil)
            #expect(alias.status == .ok && alias.headers[.contentType] == own)
        }
    }

    @Test("The format has the default members and those of the document, and decodes as the document's types")
    func decodes() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            _ = try await ask(.post, "/api/v1/rooms", #"{"name":"Hall"}"#)
            _ = try await house.hub.devices.edit("hall-light", .init(room: .room("hall")), by: owner, origin: .house)
            for device in Self.sampleDevices(at: house.clock.now) { try await house.hub.devices.announce(device) }

            let told = try await ask(.get, "/api/v1/devices", accept: SourceDocument.mediaType).body
            let today = try await ask(.get, "/api/v1/devices").body

            let list = try SourceDocument.read(SourceDocument.DeviceListResponse.self, from: told)
            #expect(list.total == 8 && list.devices.count == 8 && list.filtersApplied == [:])
            for (one, other) in zip(told["devices"]?.array ?? [], today["devices"]?.array ?? []) {
                #expect(Set(one.members.keys).subtracting(other.members.keys) == ["id", "user_name", "location"])
                #expect(Set(other.members.keys).subtracting(one.members.keys) == [])
                #expect(one["id"] == other["device_id"] && one["user_name"] == other["name"] && one["location"] == other["room"])
                #expect(one["entities"] == other["entities"] && one["state"] == other["state"])
            }
            let devices = Dictionary(uniqueKeysWithValues: list.devices.map { ($0.id, $0) })
            #expect(devices["hall-light"]?.location == "Hall" && devices["front-door"]?.location == nil)
            #expect(devices["front-door"]?.currentState.locked == true)
            let lamp = try #require(devices["lamp"]?.currentState)
            #expect(lamp.power == .on && lamp.brightness == 62)
            #expect(lamp.color?.hue == 0 && lamp.color?.saturation == 0 && lamp.color?.temperature == 2703)
            #expect(devices["heating"]?.currentState.temperature == nil)
            let sensor = try #require(devices["hall-sensor"]?.currentState.temperature)
            #expect(sensor.current == 21 && sensor.target == nil && sensor.unit == .celsius)
            #expect(devices["shutter"]?.currentState.openClosed == .open)
            #expect(devices["meter"]?.currentState.customAttributes["sensor.meter_power"] == ["value": 410.5, "unit": "W"])
            // Today's format is unchanged except for colours and custom attributes.
            let heating = try await ask(.get, "/api/v1/devices/heating").body["current_state"]
            #expect(heating?["temperature"] == ["current": .null, "target": 21, "unit": "°C"])
            #expect(try await ask(.get, "/api/v1/devices/shutter").body["current_state"]?["open_closed"] == "stopped")
            #expect(
                try await ask(.get, "/api/v1/devices/meter").body["current_state"]?["custom_attributes"]?["sensor.meter_power"]
                    == ["value": 410.5, "unit": "W"])
        }
    }

    /// Devices whose state the document types more narrowly than the house does.
    private static func sampleDevices(at now: Date) -> [Device] {
        func device(_ id: String, _ deviceClass: DeviceClass, _ entity: Entity) -> Device {
            Device(
                id: id, name: id, deviceClass: deviceClass, integration: "scripted", status: .online, stateChangedAt: now,
                entities: [entity])
        }
        return [
            device(
                "lamp", .light,
                Entity(
                    id: "light.lamp", kind: .light, name: "Lamp", verbs: [.on, .off, .setBrightness, .setColor],
                    state: EntityState("on", attributes: ["brightness": 62.4, "color": ["temperature": 2702.7]]))),
            device(
                "heating", .climate,
                Entity(
                    id: "climate.heating", kind: .climate, name: "Heating", verbs: [.on, .off, .setTemperature],
                    state: EntityState("heat", attributes: ["target_temperature": 21]))),
            device(
                "shutter", .appliance,
                Entity(
                    id: "cover.shutter", kind: .cover, name: "Shutter", verbs: [.open, .close, .stop],
                    state: EntityState("stopped", attributes: ["position": 40]))),
            device(
                "meter", .sensor,
                Entity(
                    id: "sensor.meter_power", kind: .sensor, name: "Power", deviceClass: "power", unit: "W", verbs: [],
                    state: EntityState("410.5"))),
        ]
    }

    @Test("Each format has its own ETags, and an edit accepts either")
    func tags() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            for path in ["/api/v1/devices", "/api/v1/devices?type=light", "/api/v1/devices/hall-light"] {
                let own = try #require(try await ask(.get, path, accept: SourceDocument.mediaType).entityTag)
                let todays = try #require(try await ask(.get, path).entityTag)
                #expect(own != todays)

                let known = try await ask(.get, path, ifNoneMatch: own, accept: SourceDocument.mediaType)
                #expect(known.status == 304 && known.entityTag == own && known.headers[.vary] == "Accept", "\(path)")
                #expect(try await ask(.get, path, ifNoneMatch: own).status == 200, "\(path)")
                #expect(try await ask(.get, path, ifNoneMatch: todays, accept: SourceDocument.mediaType).status == 200, "\(path)")
                #expect(try await ask(.get, path, ifNoneMatch: todays).headers[.vary] == "Accept", "\(path)")
            }
            let path = "/api/v1/devices/hall-light"
            let tag = try await ask(.get, path, accept: SourceDocument.mediaType).entityTag
            #expect(try await ask(.patch, path, #"{"name":"Lamp"}"#, ifMatch: tag).status == 200)
            #expect(try await ask(.patch, path, #"{"name":"Lamp 2"}"#, ifMatch: tag).status == 412)
        }
    }

    @Test("Other paths answer the media type with the default format, and a body of that type is read as JSON")
    func elsewhere() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            for path in ["consciousness/status", "consciousness/emotions", "memory", "twins"] {
                let answer = try await ask(.get, "/api/v1/\(path)", accept: SourceDocument.mediaType)
                #expect(answer.status == 200 && answer.headers[.contentType] == "application/json", "\(path)")
            }
            for (type, status) in [
                (SourceDocument.mediaType, 200), ("\(SourceDocument.mediaType); charset=utf-8", 200), ("text/plain", 415),
            ] {
                let answer = try await client.executeRequest(
                    uri: "/api/v1/consciousness/query", method: .post,
                    headers: [
                        .authorization: "Bearer \(tokens.access.reveal())", .contentType: type, .accept: SourceDocument.mediaType,
                    ], body: ByteBuffer(string: #"{"query":"is the front door locked?"}"#))
                #expect(answer.status.code == status, "\(type)")
            }
        }
    }

    @Test("An unknown query parameter is rejected in that format only")
    func unknownParameters() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let ask = TestAPIClient(client: client, token: tokens.access)
            for path in ["/api/v1/devices?colour=red", "/api/v1/devices?status=online&page=2", "/api/v1/devices/hall-light?status=online"] {
                let refused = try await ask(.get, path, accept: SourceDocument.mediaType)
                #expect(refused.status == 400 && refused.code == "validation_error", "\(path)")
                #expect(try await ask(.get, path).status == 200, "\(path)")
            }
            #expect(try await ask(.get, "/api/v1/devices?deviceType=light&limit=1", accept: SourceDocument.mediaType).body["total"] == 1)
        }
    }
}
