import CardeaModel
import Foundation
import HTTPTypes
import Testing

/// One property that a client of the house document relies on, by name. The hub and the demo are tested the same way.
struct SourceCheck: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (SourceClient) async throws -> Void

    private init(_ name: String, _ run: @escaping @Sendable (SourceClient) async throws -> Void) {
        testDescription = name
        self.run = run
    }

    static let all = consciousness + devices + states + memory + interview + twins

    private static let consciousness = [
        SourceCheck("GET /consciousness/status is a ConsciousnessStatusResponse") { client in
            let status: SourceTypes.ConsciousnessStatusResponse = try await client.get("/consciousness/status")
            #expect(SourceTypes.ConsciousnessStatus(rawValue: status.status) != nil)
            #expect((0...1).contains(status.awarenessLevel) && status.activeDevices > 0)
        },
        SourceCheck("GET /consciousness/emotions tells the four emotions, their vector, and the history") { client in
            let emotions: SourceTypes.EmotionsResponse = try await client.get("/consciousness/emotions?timeRange=1h&includeHistory=true")
            let now = emotions.current
            #expect(now.emotionVector == [now.happiness, now.worry, now.boredom, now.excitement] && emotions.history != nil)
            #expect(abs(now.arousal - (now.excitement + now.worry) / 2) < 0.01)
            #expect(abs(now.valence - (now.happiness - now.worry + now.excitement - now.boredom) / 2) < 0.01)
        },
        SourceCheck("GET /consciousness/emotions heeds includeHistory=false, and refuses nonsense") { client in
            let emotions: SourceTypes.EmotionsResponse = try await client.get("/consciousness/emotions?timeRange=1h&includeHistory=false")
            #expect(emotions.history == nil)
            #expect(try await client.ask(.get, "/consciousness/emotions?includeHistory=nonsense").status == 400)
        },
        SourceCheck("POST /consciousness/query is a ConsciousnessQueryResponse, also without context") { client in
            for context in [nil, ["app": "c11s"]] as [[String: JSONValue]?] {
                let answer: SourceTypes.ConsciousnessQueryResponse = try await client.post(
                    "/consciousness/query",
                    SourceTypes.ConsciousnessQueryRequest(query: "Is the front door locked?", context: context, includeDevices: true))
                #expect(!answer.response.isEmpty && answer.confidence > 0)
            }
        },
    ]

    private static let devices = [
        SourceCheck("GET /devices is a DeviceListResponse of DeviceDTOs") { client in
            let list: SourceTypes.DeviceListResponse = try await client.get("/devices")
            #expect(list.total == list.devices.count && list.devices.contains { $0.id == "front-door" && $0.userName == "Front door" })
            for device in list.devices {
                #expect(SourceTypes.DeviceClass(rawValue: device.deviceClass) != nil, "\(device.id)")
                #expect(SourceTypes.DeviceStatus(rawValue: device.status) != nil, "\(device.id)")
            }
        },
        SourceCheck("GET /devices heeds its filters") { client in
            let list: SourceTypes.DeviceListResponse = try await client.get("/devices?status=online&deviceType=sensor")
            #expect(!list.devices.isEmpty && list.devices.allSatisfy { $0.deviceClass == "sensor" && $0.status == "online" })
            #expect(list.filtersApplied?["status"] == "online")
        },
        SourceCheck("GET /devices/{device_id} is a DeviceDTO") { client in
            let device: SourceTypes.DeviceDTO = try await client.get("/devices/front-door")
            #expect(device.id == "front-door" && device.deviceClass == "security" && device.currentState["locked"] == true)
        },
        SourceCheck("GET /devices/{device_id} of a device that there is not is 404, with an APIError") { client in
            let answer = try await client.ask(.get, "/devices/nowhere")
            #expect(answer.status == 404)
            #expect(!(try SourceClient.decode(SourceTypes.APIErrorResponse.self, answer.data).error.message.isEmpty))
        },
        SourceCheck("PUT /devices/{device_id}/control does it, and says how the device stands") { client in
            let body = SourceTypes.DeviceControlRequest(action: "unlock", value: nil, transitionTime: nil)
            if client.isDemo {
                let answer: SourceTypes.DemoControlResponse = try await client.put("/devices/front-door/control", body)
                #expect(answer.status == "success" && answer.device.currentState["locked"] == false)
            } else {
                let answer: SourceTypes.ControlResponse = try await client.put("/devices/front-door/control", body)
                #expect(answer.deviceId == "front-door" && answer.status == "confirmed" && answer.newState["state"] == "unlocked")
            }
        },
        SourceCheck("POST /devices/batch-control does each, and says what came of each") { client in
            let answer: SourceTypes.BatchResponse = try await client.post(
                "/devices/batch-control",
                SourceTypes.BatchDeviceControlRequest(devices: [
                    .init(deviceId: "front-door", action: "unlock", value: nil), .init(deviceId: "nowhere", action: "on", value: nil),
                ]))
            #expect(answer.results.map(\.deviceId) == ["front-door", "nowhere"] && answer.results[0].status == "confirmed")
            #expect(answer.results[1].message?.isEmpty == false)
        },
    ]

    private static let states = [
        SourceCheck("Every current_state is a DeviceState") { client in
            let list: SourceTypes.DeviceListResponse = try await client.get("/devices")
            for device in list.devices {
                #expect(throws: Never.self, "\(device.id): \(device.currentState)") {
                    _ = try SourceClient.decode(SourceTypes.DeviceState.self, .object(device.currentState))
                }
            }
        },
        SourceCheck("A thermometer's temperature is in celsius or fahrenheit") { client in
            let state = try await state(of: "hall-sensor", client)
            #expect(state.temperature?.current == 21 && state.temperature?.unit == .celsius)
        },
        SourceCheck("A lamp of white light has hue and saturation 0") { client in
            let color = try await state(of: "study-lamp", client).color
            #expect(color?.hue == 0 && color?.saturation == 0 && color?.temperature == 2700)
        },
        SourceCheck("A thermostat that does not know how warm it is has no temperature") { client in
            let state = try await state(of: "bathroom-heating", client)
            #expect(state.temperature == nil)
        },
        SourceCheck("A meter's power and energy stand among the custom attributes, by entity") { client in
            let attributes = try await state(of: "meter", client).customAttributes
            #expect(attributes["sensor.meter_power"] != nil && attributes["sensor.meter_energy"] != nil)
        },
    ]

    private static func state(of id: String, _ client: SourceClient) async throws -> SourceTypes.DeviceState {
        let device: SourceTypes.DeviceDTO = try await client.get("/devices/\(id)")
        return try SourceClient.decode(SourceTypes.DeviceState.self, .object(device.currentState))
    }

    private static let memory = [
        SourceCheck("POST /memory keeps each MemoryType, and GET /memory finds it") { client in
            for type in SourceTypes.MemoryType.allCases {
                let content = "The key to the shed hangs in the hall: \(type.rawValue)."
                let stored: SourceTypes.MemoryStoredResponse = try await client.post(
                    "/memory", SourceTypes.MemoryEntryRequest(type: type.rawValue, content: content, context: nil))
                #expect(stored.status == "stored" && !stored.memoryId.isEmpty)
                let found: SourceTypes.MemoriesResponse = try await client.get("/memory?memoryType=\(type.rawValue)&timeRange=7d&limit=200")
                #expect(found.memories.contains { $0.content == content && $0.memoryType == type })
            }
        },
        SourceCheck("POST /memory of an unknown type is 400, in words") { client in
            let body = SourceTypes.MemoryEntryRequest(type: "nonsense", content: "The key hangs in the hall.", context: nil)
            let answer = try await client.ask(.post, "/memory", try JSONEncoder().encode(body))
            let message = try SourceClient.decode(SourceTypes.APIErrorResponse.self, answer.data).error.message
            #expect(answer.status == 400 && message.contains("episodic") && !message.contains("MemoryType"))
        },
    ]

    private static let interview = [
        SourceCheck("POST /interview/start, /message and GET /status tell of one conversation") { client in
            let begun: SourceTypes.InterviewStartResponse = try await client.post(
                "/interview/start", SourceTypes.InterviewStartRequest(houseId: "here"))
            #expect(begun.status == "active" && begun.currentPhase == "introduction" && !begun.aiMessage.isEmpty)
            let said: SourceTypes.InterviewMessageResponse = try await client.post(
                "/interview/\(begun.interviewId)/message",
                SourceTypes.InterviewMessageRequest(message: "There is a Yale lock in the pantry."))
            #expect(said.discoveredCandidates.map(\.detectedFunction) == ["lock"] && !said.aiResponse.isEmpty)
            let status: SourceTypes.InterviewStatusResponse = try await client.get("/interview/\(begun.interviewId)/status")
            #expect(status.interviewId == begun.interviewId && status.currentPhase == said.currentPhase)
            #expect(status.progress.totalDevicesMentioned >= 1 && status.conversationSummary.totalTurns > 0)
        }
    ]

    private static let twins = [
        SourceCheck("GET /twins counts and lists them") { client in
            let twins: SourceTypes.TwinsResponse = try await client.get("/twins?syncStatus=synchronized")
            #expect(twins.total == twins.twins.count && twins.twins.contains { $0.deviceId == "front-door" })
        },
        SourceCheck("POST /twins makes one") { client in
            let made: SourceTypes.TwinCreatedResponse = try await client.post(
                "/twins",
                SourceTypes.TwinRequest(
                    deviceId: "porch-light", fidelityLevel: "advanced", config: ["name": "Porch light", "kind": "light"]))
            let planned: SourceTypes.TwinsResponse = try await client.get("/twins?deviceId=porch-light")
            #expect(made.status == "created" && planned.twins.map(\.id) == [made.twinId])
        },
        SourceCheck("POST /predictions/what-if is answered") { client in
            let answer: SourceTypes.WhatIfResponse = try await client.post(
                "/predictions/what-if",
                SourceTypes.WhatIfRequest(
                    scenario: "Dark", changes: ["device": ["hall-light": ["power": "off"]]], duration: "8h", metrics: ["energy"]))
            #expect(answer.status == "completed" && !answer.analysisId.isEmpty)
        },
    ]
}
