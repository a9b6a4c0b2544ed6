import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import Testing

@testable import cardea

@Suite("Mind output in the terminal")
struct MindTextTests {
    @Test("An answer is followed by the commands for its suggestions")
    func answers() {
        let light = SuggestedAction(
            words: "Dim the hall light", deviceID: "hall-light", entityID: "light.hall", action: .setBrightness, value: 40)
        let scene = SuggestedAction(words: "Evening", sceneID: "scene_1")
        let answer = HouseReplyAnswer(
            response: "Shall I?", confidence: 1, context: .init(events: ["happening_7"], devices: ["hall-light"]),
            suggestedActions: [light, scene])

        #expect(
            AskCommand.text(answer, withEvidence: false) == """
                Shall I?
                  cardea devices control hall-light set_brightness --value 40 --entity light.hall
                  cardea scenes run scene_1
                """)
        #expect(AskCommand.text(answer, withEvidence: true).hasSuffix("Based on happening_7."))
        let many = HouseReplyAnswer(
            response: "Often.", confidence: 1, context: .init(events: ["happening_7", "happening_8"], moreEvents: 12, devices: []))
        #expect(AskCommand.text(many, withEvidence: true).hasSuffix("Based on happening_7, happening_8, and 12 more."))
    }

    @Test("Ambiguous names are listed as a question")
    func choices() {
        let answer = HouseReplyAnswer(
            response: "Which lamp?", confidence: 0, context: .init(events: [], devices: []), choices: ["Hall lamp", "Study lamp"])

        #expect(AskCommand.text(answer, withEvidence: true) == "Which lamp?\nDid you mean: Hall lamp, Study lamp")
    }

    @Test("The mood is four bars with their causes")
    func mood() {
        let cause = CauseAnswer(
            causeID: "open:garage", kind: "environment", words: "The garage door stands open.", shares: [-0.1, 0.2, 0, 0], events: [],
            devices: ["garage"], since: .distantPast)
        let state = EmotionalStateAnswer(
            vector: [0.5, 0.4, 0.3, 0.4], primary: "happiness", intensity: 0, confidence: 0.6, arousal: 0.4, valence: 0.1, reasoning: "",
            causes: [cause])
        let answer = ConsciousnessAnswer(
            status: "active", awarenessLevel: 0.9, awareness: [:], emotionalState: state, activeDevices: 3, saflaLoops: 1,
            lastUpdate: .distantPast)
        let text = MoodCommand.text(answer, Output(json: false))

        #expect(text.contains("The house is active. Awareness: 90 %."))
        #expect(text.contains("██████████░░░░░░░░░░") && text.contains("+20 %") && text.contains("-10 %"))
        #expect(text.components(separatedBy: "The garage door stands open.").count == 3)
    }

    // Just after a repair the house was still worried, without a stated cause.
    @Test("A fading cause is shown as fading")
    func passing() {
        let over = CauseAnswer(
            causeID: "jammed:lock.back", kind: "health", words: "Back door has been jammed since 14:59.", shares: [-0.2, 0.32, 0, 0],
            events: ["happening_3"], devices: ["back"], since: .distantPast)
        func text(_ fading: [CauseAnswer]?) -> String {
            let state = EmotionalStateAnswer(
                vector: [0.5, 0.4, 0.3, 0.4], primary: "happiness", intensity: 0, confidence: 0.6, arousal: 0.4, valence: 0.1,
                reasoning: "", causes: [], fading: fading)
            let answer = ConsciousnessAnswer(
                status: "active", awarenessLevel: 0.9, awareness: [:], emotionalState: state, activeDevices: 3, saflaLoops: 1,
                lastUpdate: .distantPast)
            return MoodCommand.text(answer, Output(json: false))
        }

        let passing = text([over])
        #expect(passing.contains("PAST CAUSE, FADING") && passing.contains("+32 %") && passing.contains("-20 %"), "\(passing)")
        #expect(passing.contains(over.words) && !passing.contains("no particular cause"))
        #expect(text(nil).contains("There is no particular cause.") && text([]).contains("There is no particular cause."))
    }

    @Test("A cause lists its events in order, and dropped events by their id")
    func evidence() async throws {
        let moment = Date(timeIntervalSince1970: 1_795_269_600)
        func cause(_ id: String, _ events: [String]) -> CauseAnswer {
            CauseAnswer(
                causeID: id, kind: "health", words: "\(id) is so.", shares: [-0.1, 0.2, 0, 0], events: events, devices: [], since: moment)
        }
        let state = EmotionalStateAnswer(
            vector: [0.5, 0.4, 0.3, 0.4], primary: "worry", intensity: 0, confidence: 0.6, arousal: 0.4, valence: 0.1, reasoning: "",
            causes: [cause("open", ["happening_1", "happening_2"]), cause("late", ["happening_1"])],
            fading: [cause("over", ["happening_3"])])
        let status = ConsciousnessAnswer(
            status: "active", awarenessLevel: 0.9, awareness: [:], emotionalState: state, activeDevices: 3, saflaLoops: 1,
            lastUpdate: moment)
        let memory = MemoryAnswer(
            memoryID: "happening_1", memoryType: "episodic", category: "state", importance: 0.3, title: "Garage",
            content: "The garage door was open.", details: [:], source: "sensor", confidence: 1, accessCount: 0, tags: [],
            relatedDevices: [], isPinned: false, mayChange: false, version: 0, createdAt: moment, lastAccessed: nil, toldBy: nil,
            experience: nil, correction: nil)
        let (said, remembered) = (
            String(decoding: try WireFormat.encode(status), as: UTF8.self), String(decoding: try WireFormat.encode(memory), as: UTF8.self)
        )
        let house = ScriptedTransport { request, _ in
            switch request.url.path {
            case "/api/v1/consciousness/status": .json(200, said)
            case "/api/v1/memory/happening_1": .json(200, remembered)
            case "/api/v1/house":
                .json(
                    200,
                    #"{"house_id":"h","name":"Lime","time_zone":"UTC","now":"2026-11-21T14:31:00.000Z","public_url":"https://house.example","rooms":[]}"#
                )
            default: .refused(404, "not_found")
            }
        }
        let terminal = TestTerminal(house: house)
        try await terminal.signIn()

        #expect(try await terminal.run("mood --evidence") == nil)
        let asked = house.requests.map(\.url.path).filter { $0.contains("/memory/") }
        #expect(asked == ["/api/v1/memory/happening_1", "/api/v1/memory/happening_2", "/api/v1/memory/happening_3"], "each once")

        let text = MoodCommand.text(status, Output(json: false), grounds: ["happening_1": "14:00  The garage door was open.  happening_1"])
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let place = try #require(lines.firstIndex { $0.hasSuffix("open is so.") && $0.hasPrefix("worry") })
        #expect(lines[place + 1] == "14:00  The garage door was open.  happening_1" && lines[place + 2] == "happening_2")
        #expect(lines.last == "happening_3")
        #expect(!MoodCommand.text(status, Output(json: false)).contains("happening"))
    }

    @Test("Forty new devices make one row for each feeling that they affect")
    func newDevices() {
        let causes = (0..<40).map { number in
            CauseAnswer(
                causeID: "new:\(number)", kind: "learning", words: "Lamp \(number) is new here.", shares: [0.001, 0, 0, 0.0025], events: [],
                devices: [], since: .distantPast)
        }
        let state = EmotionalStateAnswer(
            vector: [0.6, 0.2, 0.3, 0.5], primary: "happiness", intensity: 0, confidence: 0.6, arousal: 0.4, valence: 0.1, reasoning: "",
            causes: causes)
        let answer = ConsciousnessAnswer(
            status: "active", awarenessLevel: 0.9, awareness: [:], emotionalState: state, activeDevices: 3, saflaLoops: 1,
            lastUpdate: .distantPast)
        let text = MoodCommand.text(answer, Output(json: false))

        #expect(text.contains("+10 %") && text.contains("+4 %"))
        #expect(text.components(separatedBy: "Lamp 0, Lamp 1 and 38 more are new here.").count == 3, "\(text)")
    }

    @Test("A conversation's result lists its open tasks")
    func interview() {
        let reply = InterviewReplyAnswer(
            aiResponse: "I take in a Hue lamp.", status: "active", currentPhase: "twin_creation", discoveredCandidates: [],
            autoDiscoveryResults: DiscoveryResults(),
            createdDevices: [
                CreatedDeviceAnswer(candidateID: "c1", deviceID: "hall-light", name: "Hall light", status: "connected", nextSteps: []),
                CreatedDeviceAnswer(
                    candidateID: "c2", deviceID: "planned-hue-lamp", name: "Hue lamp", status: "pending_auth",
                    nextSteps: ["Connect it.", "Take this one out."]),
            ],
            progress: InterviewProgress(totalDevicesMentioned: 2, devicesConfirmed: 2, devicesPending: 0, completionPercentage: 100),
            version: 3)

        #expect(
            InterviewText.text(reply, Output(json: false)) == """
                I take in a Hue lamp.
                  Hall light: connected.
                  Hue lamp: not connected yet.
                    1. Connect it.
                    2. Take this one out.
                """)
    }

    @Test("A conversation's status lists what was not understood and its notes")
    func interviewStatus() {
        let lamp = CandidateAnswer(
            id: "candidate_1", status: "needs_info", description: "two lamps", detectedBrand: nil, detectedFunction: "light",
            detectedModel: nil, room: nil, count: 2, confidence: 0.6, possibleIntegrations: [], matched: [],
            missing: ["room", "connection"], createdDeviceIDs: [])
        func note(_ text: String, over: Date? = nil) -> NoteAnswer {
            NoteAnswer(
                noteID: text, text: text, count: 1, room: "Garage", writtenAt: .distantPast, supersededAt: over, supersededBecause: nil)
        }
        let status = InterviewStatusAnswer(
            interviewID: "interview_1", status: "active", currentPhase: "twin_creation",
            progress: InterviewProgress(totalDevicesMentioned: 2, devicesConfirmed: 0, devicesPending: 2, completionPercentage: 0),
            conversationSummary: .init(totalTurns: 3, lastActivity: .distantPast), candidates: [lamp],
            notes: [note("old gate"), note("old fan", over: .distantPast)], version: 2)
        let text = InterviewText.text(status, Output(json: false))

        #expect(text.hasPrefix("The conversation is active, at twin creation. 0 of 2 devices added."))
        #expect(text.contains("candidate_1  two lamps  needs info  room, connection"))
        #expect(text.contains("old gate (Garage)") && !text.contains("old fan"))
    }
}
