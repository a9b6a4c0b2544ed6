import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

/// The house document's own client against the hub and the demo.
@Suite("Source client over HTTP", .timeLimit(.minutes(10)))
struct SourceClientTests {
    /// Devices that the document's `DeviceState` has no field for, or not all of them.
    private static func furnish(_ house: TestHouse) async throws {
        let lamp = Entity(
            id: "light.study_lamp", kind: .light, name: "Study lamp", verbs: [.on, .off],
            state: EntityState("on", attributes: ["brightness": 62, "color": ["temperature": 2700]]))
        let heating = Entity(
            id: "climate.bathroom", kind: .climate, name: "Bathroom heating", verbs: [],
            state: EntityState("heat", attributes: ["target_temperature": 21]))
        let power = Entity(
            id: "sensor.meter_power", kind: .sensor, name: "Power", deviceClass: "power", unit: "W", verbs: [], state: EntityState("412"))
        let energy = Entity(
            id: "sensor.meter_energy", kind: .sensor, name: "Energy", deviceClass: "energy", unit: "kWh", verbs: [],
            state: EntityState("1824.5"))
        let devices: [(id: String, deviceClass: DeviceClass, entities: [Entity])] = [
            ("study-lamp", .light, [lamp]), ("bathroom-heating", .climate, [heating]), ("meter", .sensor, [power, energy]),
        ]
        for (id, deviceClass, entities) in devices {
            try await house.hub.devices.announce(
                Device(
                    id: id, name: id, deviceClass: deviceClass, integration: "scripted", status: .online, stateChangedAt: house.clock.now,
                    entities: entities))
        }
    }

    @Test("The hub under /v1 passes the source checks", arguments: SourceCheck.all)
    func hub(check: SourceCheck) async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            try await Self.furnish(house)
            try await check.run(SourceClient(client: client, base: "/v1", token: tokens.access))
        }
    }

    @Test("The demo under /api passes the source checks without a token", arguments: SourceCheck.all)
    func demo(check: SourceCheck) async throws {
        try await SourceDemoHouse.run { house, _, client in
            try await Self.furnish(house)
            try await check.run(SourceClient(client: client, base: "/api"))
        }
    }

    @Test("POST /auth/login returns an AuthTokenResponse with a valid token; without it the answer is 401")
    func login() async throws {
        try await HubTransport.router.run { house, _, client in
            try await house.claim()
            var source = SourceClient(client: client, base: "/v1")
            let stranger = try await source.ask(.get, "/devices")
            #expect(stranger.status == 401 && stranger.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
            let tokens: SourceTypes.AuthTokenResponse = try await source.post(
                "/auth/login", SourceTypes.LoginRequest(username: "owner", password: TestHouse.password.reveal()))
            #expect(tokens.tokenType == "Bearer" && tokens.expiresIn == 3600)
            source.token = Secret(tokens.accessToken)
            #expect(try await source.ask(.get, "/devices").status == 200)
        }
    }

    @Test("The document's media type is accepted in Accept on every path and as Content-Type")
    func mediaType() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let source = SourceClient(client: client, base: "/v1", token: tokens.access, contentType: SourceClient.mediaType)
            for path in ["/consciousness/status", "/consciousness/emotions", "/memory", "/twins", "/devices", "/devices/front-door"] {
                let answer = try await source.ask(.get, path)
                let type = path.hasPrefix("/devices") ? SourceClient.mediaType : "application/json"
                #expect(answer.status == 200 && answer.headers[.contentType]?.hasPrefix(type) == true, "\(path)")
            }
            let login = try await source.ask(
                .post, "/auth/login",
                try JSONEncoder().encode(SourceTypes.LoginRequest(username: "owner", password: TestHouse.password.reveal())))
            let ask = SourceTypes.ConsciousnessQueryRequest(query: "Is the front door locked?", context: nil, includeDevices: false)
            let query = try await source.ask(.post, "/consciousness/query", try JSONEncoder().encode(ask))
            let move = SourceTypes.DeviceControlRequest(action: "unlock", value: nil, transitionTime: nil)
            let control = try await source.ask(.put, "/devices/front-door/control", try JSONEncoder().encode(move))
            #expect([login, query, control].map(\.status) == [200, 200, 200])
        }
    }

    @Test("A regular hub serves no demo path, with or without a token")
    func served() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let paths: [(HTTPRequest.Method, String)] = [
                (.get, "/devices"), (.get, "/devices/front-door"), (.put, "/devices/front-door/control"), (.post, "/devices/batch-control"),
                (.get, "/consciousness/status"), (.get, "/consciousness/emotions"), (.post, "/consciousness/query"), (.get, "/memory"),
                (.post, "/memory"), (.post, "/interview/start"), (.post, "/interview/1/message"), (.get, "/interview/1/status"),
                (.get, "/twins"), (.post, "/twins"), (.post, "/predictions/what-if"),
            ]
            for token in [nil, tokens.access] {
                let source = SourceClient(client: client, base: "/api", token: token)
                for (method, path) in paths { #expect(try await source.ask(method, path).status == 404, "\(method.rawValue) \(path)") }
                #expect(try await SourceClient(client: client, base: "", token: token).ask(.get, "/ws").status == 404)
            }
        }
    }
}
