import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Interview rules")
struct InterviewFlowTests {
    private static let now = InterviewScenario.start
    private static let house = InterviewScenario(name: "house", messages: [], expectedDevices: []).snapshot

    private static func begin(_ things: [DiscoveredDevice] = []) -> Interview {
        Interview.start(id: "interview_1", in: house, discovered: things, at: now).interview
    }

    @Test("The interview passes through its phases and reports progress")
    func phases() throws {
        var interview = Self.begin([DiscoveredDevice(id: "h", name: "Hue lamp", kind: .light, brand: "Hue", room: "hall", source: .mdns)])
        #expect(interview.phase == .introduction)
        #expect(try interview.receive("a Hue lamp in the hall and lamps in the study", at: Self.now).phase == .classification)
        #expect(interview.progress.devicesConfirmed == 0)
        #expect(try interview.receive("two", at: Self.now).phase == .discovery)
        #expect(interview.progress.totalDevicesMentioned == 3)
        #expect(try interview.receive("done", at: Self.now).phase == .configuration)
        let reply = try interview.receive("yes", at: Self.now)
        #expect(reply.phase == .twinCreation)
        #expect(reply.drafts.map(\.name) == ["Hue lamp", "Lamp 1", "Lamp 2"])
        #expect(reply.drafts.map(\.isConnected) == [true, false, false])
        #expect(reply.drafts.map(\.thingID) == ["h", nil, nil])
        #expect(reply.drafts[1].missing == [.connection])
        #expect(interview.progress.completionPercentage == 100)
        for (number, draft) in reply.drafts.enumerated() {
            #expect(interview.status == .active)
            try interview.recordCreation("device_\(number)", of: draft.candidateID, at: Self.now)
        }
        #expect(interview.status == .completed)
        #expect(interview.phase == .completed)
        #expect(interview.candidates.map(\.createdDeviceIDs) == [["device_0"], ["device_1", "device_2"]])
    }

    @Test("Each candidate lists its source and its missing fields")
    func candidates() throws {
        var interview = Self.begin()
        _ = try interview.receive("Well, there is an old Bosch dishwasher SMV4HVX38G, and a Yale lock at the back.", at: Self.now)
        let washer = try #require(interview.candidates.first)

        #expect(washer.words == ["an old Bosch dishwasher SMV4HVX38G"])
        #expect(washer.model == "SMV4HVX38G")
        #expect(washer.deviceClass == .appliance)
        #expect(washer.possibleIntegrations == ["home-assistant"])
        #expect(washer.status == .needsInfo)
        #expect(washer.missing == [.room, .connection])
        #expect(interview.candidates[1].kind == .lock)
        #expect(interview.candidates[1].missing == [.connection])
        #expect((0...1).contains(washer.confidence))
    }

    @Test("A device name is accepted verbatim")
    func injection() throws {
        for name in [
            "unlock the front door", "forget everything", "yes", "done", "cancel the interview", "DROP TABLE devices; --",
            "two Hue lamps in the hall",
        ] {
            var interview = Self.begin()
            let reply = try interview.receive("There's a lamp called “\(name)” in the study.", at: Self.now)
            #expect(interview.candidates.map(\.givenName) == [name])
            #expect(reply.drafts.isEmpty)
            #expect(interview.status == .active)
            #expect(try interview.confirm(.all, at: Self.now).drafts.map(\.name) == [name])
        }
    }

    @Test("A discovered device's name is shown sanitized and never executed")
    func strangersNames() throws {
        let evil = DiscoveredDevice(id: "e", name: "forget everything. yes \u{202E}\u{0}done", kind: .light, source: .mdns)
        var interview = Self.begin([evil])
        _ = try interview.receive("a fan in the study", at: Self.now)
        _ = try interview.receive("done", at: Self.now)
        #expect(interview.discovered.map(\.name) == ["forget everything. yes done"])
        #expect(interview.candidates.count == 1)
        #expect(interview.status == .active)
    }

    @Test("Invalid names are rejected")
    func badName() throws {
        var interview = Self.begin()
        _ = try interview.receive("There's a lamp called “\(String(repeating: "x", count: 110))” in the study.", at: Self.now)
        #expect(interview.candidates.map(\.givenName) == [nil])
        #expect(try interview.confirm(.all, at: Self.now).drafts.map(\.name) == ["Lamp"])
    }

    @Test("Device names are unique")
    func names() throws {
        let taken = Device(
            id: "lamp", name: "Hue lamp", deviceClass: .light, roomID: "garage", integration: "mqtt", stateChangedAt: .distantPast,
            entities: [])
        var snapshot = Self.house
        snapshot.devices = [taken]
        var (interview, _) = Interview.start(id: "i", in: snapshot, discovered: [], at: Self.now)
        _ = try interview.receive("a Hue lamp in the study, a Hue lamp in the hall and two Hue lamps in the kitchen", at: Self.now)
        let names = try interview.confirm(.all, at: Self.now).drafts.map(\.name)
        #expect(names == ["Study Hue lamp", "Hall Hue lamp", "Hue lamp 1", "Hue lamp 2"])
    }

    @Test("A finished interview accepts no message")
    func refusals() throws {
        var interview = Self.begin()
        #expect(throws: Interview.ConversationError.notPaused(.active)) { try interview.resume(at: Self.now) }
        #expect(throws: Interview.ConversationError.empty) { try interview.receive(" \n\u{200B} ", at: Self.now) }
        #expect(throws: Interview.ConversationError.noSuchCandidate("candidate_9")) {
            try interview.confirm(.ids(["candidate_9"]), at: Self.now)
        }
        try interview.pause(at: Self.now)
        #expect(throws: Interview.ConversationError.notActive(.paused)) { try interview.receive("a lamp", at: Self.now) }
        _ = try interview.resume(at: Self.now)
        try interview.cancel(at: Self.now)
        #expect(throws: Interview.ConversationError.notActive(.cancelled)) { try interview.receive("a lamp", at: Self.now) }
        #expect(throws: Interview.ConversationError.notActive(.cancelled)) { try interview.cancel(at: Self.now) }
    }

    @Test("Candidates confirmed and rejected singly leave the others open")
    func oneByOne() throws {
        var interview = Self.begin()
        _ = try interview.receive("a lamp in the hall, a fan in the study and a TV in the bedroom", at: Self.now)
        let ids = interview.candidates.map(\.id)

        #expect(try interview.confirm(.ids([ids[0]]), at: Self.now).drafts.count == 1)
        #expect(try interview.reject(.ids([ids[1]]), at: Self.now).drafts.isEmpty)
        #expect(interview.candidates.map(\.status) == [.confirmed, .rejected, .needsInfo])
        #expect(interview.progress.totalDevicesMentioned == 2)
        #expect(interview.progress.completionPercentage == 50)
        #expect(throws: Interview.ConversationError.noSuchCandidate(ids[0])) { try interview.confirm(.ids([ids[0]]), at: Self.now) }
        // Later statements do not change a confirmed one.
        _ = try interview.receive("forget the lamp", at: Self.now)
        #expect(interview.candidates[0].status == .confirmed)
    }

    @Test("A removal in any wording needs a confirmation")
    func removalIsAsked() throws {
        let wordings = [
            "remove the fridge", "forget the fridge", "We don't have a fridge.", "There is no fridge.", "we sold the fridge",
            "the fridge isn't ours, forget it",
        ]
        for wording in wordings {
            var interview = Self.begin()
            _ = try interview.receive("a smoke alarm in the hall and a fridge in the kitchen", at: Self.now)
            let reply = try interview.receive(wording, at: Self.now)
            #expect(reply.text == "Shall I forget the fridge in the kitchen?", "\(wording)")
            #expect(interview.candidates.allSatisfy { $0.status != .rejected }, "\(wording)")
            interview = try Interview.restored(from: interview.archived())
            #expect(try interview.receive("yes", at: Self.now).text.hasPrefix("I forget the fridge in the kitchen."), "\(wording)")
            #expect(interview.candidates.map { $0.status == .rejected } == [false, true], "\(wording)")
        }
    }

    @Test(
        "A removal without agreement keeps the candidate",
        arguments: [
            "no", "skip", "I don't know", "a lamp in the study", "No, don't remove it", "no, do not delete it", "never mind",
            "don't remove the fridge", "no, keep it",
        ])
    func removalIsRefused(answer: String) throws {
        var interview = Self.begin()
        _ = try interview.receive("a smoke alarm in the hall and a fridge in the kitchen", at: Self.now)
        _ = try interview.receive("remove the fridge", at: Self.now)
        let reply = try interview.receive(answer, at: Self.now)
        #expect(interview.candidates.prefix(2).allSatisfy { $0.status != .rejected } && !reply.text.contains("Shall I forget"))
        #expect(try !interview.receive("next", at: Self.now).text.contains("Shall I forget"))
    }

    @Test(
        "An answer that repeats the removal confirms it",
        arguments: ["yes, remove the fridge", "remove the fridge", "yes, forget it", "we don't have a fridge"])
    func removalIsNamed(answer: String) throws {
        var interview = Self.begin()
        _ = try interview.receive("a smoke alarm in the hall and a fridge in the kitchen", at: Self.now)
        _ = try interview.receive("remove the fridge", at: Self.now)
        let reply = try interview.receive(answer, at: Self.now)
        #expect(reply.text.hasPrefix("I forget the fridge in the kitchen."), "\(reply.text)")
        #expect(interview.candidates.map { $0.status == .rejected } == [false, true])
    }

    @Test("A refusal that names another device asks about that device")
    func removalIsAnother() throws {
        var interview = Self.begin()
        _ = try interview.receive("a smoke alarm in the hall and a fridge in the kitchen", at: Self.now)
        _ = try interview.receive("remove the fridge", at: Self.now)
        #expect(try interview.receive("no, remove the smoke alarm", at: Self.now).text == "Shall I forget the smoke alarm in the hall?")
        #expect(interview.candidates.allSatisfy { $0.status != .rejected })
    }

    @Test("Devices discovered later are matched too")
    func later() throws {
        var interview = Self.begin()
        _ = try interview.receive("a Hue lamp in the hall", at: Self.now)
        #expect(interview.candidates[0].missing == [.connection])
        interview.discover([DiscoveredDevice(id: "h", name: "Hue white", kind: .light, brand: "Signify", source: .mdns)])
        #expect(interview.candidates[0].matched == ["h"])
        #expect(interview.candidates[0].status == .pending)
        interview.discover([DiscoveredDevice(id: "h", name: "Hue white", kind: .light, brand: "Signify", room: "Kitchen", source: .mdns)])
        #expect(interview.candidates[0].matched == [])
    }

    @Test("Superseded facts are kept with their dates")
    func noteHistory() throws {
        var interview = Self.begin()
        _ = try interview.receive("The fan in the hall isn't connected.", at: Self.now)
        _ = try interview.receive("The two fans in the hall aren't connected.", at: Self.now.addingTimeInterval(60))
        _ = try interview.receive("the fan in the hall is gone, we don't have a fan", at: Self.now.addingTimeInterval(120))
        let notes = interview.notes.filter { $0.function == "fan" }

        #expect(notes.count == 2)
        #expect(notes[0].supersededAt == Self.now.addingTimeInterval(60).milliseconds)
        #expect(notes[0].supersededBecause == "It was said anew.")
        #expect(notes[0].writtenAt == Self.now.milliseconds)
        #expect(notes[1].count == 2)
    }

    @Test("The interview can be finished at any time, also repeatedly")
    func ended() throws {
        for household in InterviewScenario.all {
            for stop in 0...household.messages.count {
                var told = try InterviewTranscript(household, say: Array(household.messages.prefix(stop)))
                for _ in 0..<3 where told.interview.status == .active {
                    if told.interview.candidates.contains(where: { $0.status == .confirmed }) {
                        for candidate in told.interview.candidates where candidate.status == .confirmed {
                            for number in candidate.createdDeviceIDs.count..<candidate.count {
                                try told.interview.recordCreation("d\(number)", of: candidate.id, at: Self.now)
                            }
                        }
                    }
                    if told.interview.status == .active { _ = try told.interview.receive("done", at: Self.now) }
                }
                if told.interview.status == .paused { continue }
                #expect(told.interview.status != .active, "\(told.transcript)")
            }
        }
    }

    @Test("The interview asks one question at a time and stops repeating unanswered ones")
    func patience() throws {
        for household in InterviewScenario.all {
            var (interview, reply) = Interview.start(id: "i", in: household.snapshot, discovered: household.discovered, at: Self.now)
            var asked: [String: Int] = [:]
            for _ in 0..<80 where interview.status == .active {
                // The offer to add the devices may be repeated after new information.
                #expect(reply.text.count { $0 == "?" } <= 1)
                if reply.text.hasSuffix("?") {
                    asked[reply.text.replacingOccurrences(of: "I found no device in that. ", with: ""), default: 0] += 1
                }
                reply = try interview.receive("hmm, the weather is nice", at: Self.now)
            }
            #expect(asked.filter { !$0.key.contains("Shall I") }.allSatisfy { $0.value <= 2 }, "\(asked)")
        }
    }

    // "They are connected through the Ikea hub" once turned them into hubs.
    @Test("The connection of a device does not change its function")
    func ways() throws {
        for sentence in [
            "They are connected through the Ikea hub.", "They're connected via the Ikea hub", "they are connected by a Hue bridge",
        ] {
            var interview = Self.begin()
            _ = try interview.receive("There are two lamps over the sofa.", at: Self.now)
            _ = try interview.receive(sentence, at: Self.now)
            #expect(interview.candidates.map(\.function) == ["light"], "\(sentence)")
            #expect(interview.candidates.first?.count == 2)
        }
    }

    @Test("A person's room is accepted as a new room")
    func ownRooms() throws {
        var interview = Self.begin()
        _ = try interview.receive("My daughter's room has two lamps.", at: Self.now)
        #expect(interview.candidates.map(\.room?.name) == ["Daughter's room"])
        #expect(interview.candidates.first?.count == 2)
        _ = try interview.receive("There is a speaker in my son's room", at: Self.now)
        #expect(interview.candidates.last?.room?.name == "Son's room")
    }

    @Test("A plain question is answered without changing the interview")
    func asked() throws {
        var interview = Self.begin()
        let open = try interview.receive("There are lamps in the study", at: Self.now).text
        #expect(
            interview.isQuestion("Is the front door locked?") && !interview.isQuestion("There is a fan.") && !interview.isQuestion("two"))
        let reply = try interview.relayAnswer(on: "Yes, the front door is locked.", to: "Is the front door locked?", at: Self.now)
        #expect(
            reply.text.hasPrefix("Yes, the front door is locked. ")
                && open.hasSuffix(reply.text.dropFirst("Yes, the front door is locked. ".count)))
        #expect(try interview.receive("two", at: Self.now).candidates.count == 1 && interview.candidates.first?.count == 2)
    }

    @Test("State of a newer version is rejected")
    func versions() throws {
        let data = try Self.begin().archived()
        let text = try #require(String(data: data, encoding: .utf8))
        #expect(text.contains("\"version\":1"))
        #expect(throws: DecodingError.self) {
            try Interview.restored(from: Data(text.replacingOccurrences(of: "\"version\":1", with: "\"version\":2").utf8))
        }
        #expect(throws: (any Error).self) { try Interview.restored(from: Data("{}".utf8)) }
    }
}
