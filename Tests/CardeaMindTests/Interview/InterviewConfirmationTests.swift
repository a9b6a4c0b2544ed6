import CardeaModel
import Foundation
import Testing

@testable import CardeaMind

@Suite("Interview: confirming candidates")
struct InterviewConfirmationTests {
    private static let now = InterviewScenario.start
    private static let house = InterviewScenario(name: "house", messages: [], expectedDevices: []).snapshot

    private static func begin(_ things: [DiscoveredDevice] = [], in house: HouseSnapshot = house) -> Interview {
        Interview.start(id: "interview_1", in: house, discovered: things, at: now).interview
    }

    @Test("Confirmed drafts are kept, each by its number, until they are reported as stored")
    func owed() throws {
        var interview = Self.begin()
        _ = try interview.receive("Three Hue lamps in the study and a fan in the hall.", at: Self.now)
        _ = try interview.confirm(.all, at: Self.now)
        #expect(
            interview.owed.map(\.number) == [1, 2, 3, 1] && interview.owed.map(\.name) == ["Hue lamp 1", "Hue lamp 2", "Hue lamp 3", "Fan"])
        interview = try Interview.restored(from: interview.archived())
        let lamp = try #require(interview.owed.first?.candidateID)
        try interview.recordCreation("b", of: lamp, number: 2, at: Self.now)
        #expect(interview.owed.map(\.number) == [1, 3, 1])
        // Recorded twice, as after a crash, it is one device.
        try interview.recordCreation("b", of: lamp, number: 2, at: Self.now)
        try interview.recordCreation("a", of: lamp, at: Self.now)
        #expect(interview.owed.map(\.number) == [3, 1] && interview.candidate(lamp)?.createdDeviceIDs == ["b", "a"])
        // A device waiting for creation has its name already.
        interview.update(at: Self.house)
        let reply = try interview.decide(confirm: nil, reject: .ids([]), at: Self.now)
        #expect(reply.text.hasPrefix("There is nothing to leave out."))
        _ = try interview.receive("Another fan in the kitchen.", at: Self.now)
        #expect(try interview.confirm(.all, at: Self.now).drafts.map(\.name) == ["Kitchen fan"])
    }

    @Test("Confirming and rejecting in one call is atomic")
    func decide() throws {
        var interview = Self.begin()
        _ = try interview.receive("A Hue lamp, a television and a fan in the study.", at: Self.now)
        let ids = interview.candidates.map(\.id)
        let before = interview
        for (yes, no) in [([ids[0]], ["nobodys"]), (["nobodys"], [ids[0]]), ([ids[0], ids[1]], [ids[1]])] {
            #expect(throws: Interview.ConversationError.self) { try interview.decide(confirm: .ids(yes), reject: .ids(no), at: Self.now) }
            #expect(interview == before)
        }
        let reply = try interview.decide(confirm: .ids([ids[0]]), reject: .ids([ids[1]]), at: Self.now)
        #expect(reply.candidates == [ids[1], ids[0]] && reply.drafts.map(\.name) == ["Hue lamp"])
        #expect(reply.text.hasPrefix("I leave out a television in the study. I take in a Hue lamp in the study."))
        #expect(interview.candidates.map(\.status) == [.confirmed, .rejected, .needsInfo])
    }

    @Test("A proposed room becomes a known room once the house has it")
    func rooms() throws {
        var interview = Self.begin()
        _ = try interview.receive("A Hue lamp and a fan in the pantry.", at: Self.now)
        let lamp = try #require(interview.candidates.first?.id)
        guard case .new? = try interview.confirm(.ids([lamp]), at: Self.now).drafts.first?.room else {
            Issue.record("the pantry is no room of the house yet")
            return
        }
        var house = Self.house
        house.rooms.append(Room(id: "pantry", name: "Pantry"))
        interview.update(at: house)
        #expect(interview.candidates.map(\.room?.reference) == [.known(id: "pantry"), .known(id: "pantry")])
        #expect(interview.rooms.count(where: { $0.name == "Pantry" }) == 1)
        #expect(try interview.confirm(.all, at: Self.now).drafts.map(\.room) == [.known(id: "pantry")])
    }

    @Test("Next steps depend on the device's connection and on the connected integrations")
    func steps() throws {
        let lock = DiscoveredDevice(id: "l", name: "Bolt", category: "door lock", source: .mdns)
        var interview = Self.begin([lock])
        _ = try interview.receive(
            "A Shelly plug in the hall, a Bosch dishwasher in the kitchen, a fan in the study and a lock in the garage.", at: Self.now)
        let drafts = try interview.confirm(.all, at: Self.now).drafts
        try #require(drafts.map(\.function) == ["plug", "dishwasher", "fan", "lock"])
        #expect(drafts.map(\.thingID) == [nil, nil, nil, "l"])
        let bare = drafts.map { interview.nextSteps(for: $0, connected: []) }
        let set = drafts.map { interview.nextSteps(for: $0, connected: ["mqtt", "home-assistant"]) }
        #expect(bare.map { $0.first?.contains("MQTT broker") } == [true, false, false, false])
        #expect(zip(bare, set).allSatisfy { $0.count == $1.count + 1 && $0.suffix($1.count) == $1[...] })
        #expect(set[0].first?.hasPrefix("Have Shelly plug announce itself") == true)
        #expect(set[1].first?.contains("the app of Bosch") == true && set[2].first?.contains("has an integration for Fan") == true)
        #expect(set[3].first?.hasSuffix("It was seen on the network as “Bolt”.") == true)
        #expect((bare + set).allSatisfy { $0.last?.contains("take out this one") == true })
    }

    @Test("A planned device is matched again and does not count as discovered")
    func planned() throws {
        var house = Self.house
        house.devices.append(
            Device(
                id: "planned-hue-lamp", name: "Hue lamp", deviceClass: .light, roomID: "study", integration: Device.planned,
                manufacturer: "Hue",
                stateChangedAt: Self.now, entities: [Entity(id: "light.planned", kind: .light, name: "Hue lamp", verbs: [.on])]))
        var interview = Self.begin(in: house)
        #expect(interview.discovered.map(\.source) == [.planned])
        _ = try interview.receive("A Hue lamp in the study.", at: Self.now)
        #expect(interview.candidates.first?.possibleIntegrations.contains("planned") == false)
        #expect(try interview.confirm(.all, at: Self.now).drafts.map(\.deviceID) == ["planned-hue-lamp"])
    }
}

@Suite("Interview: matching discovered devices")
struct InterviewDeviceMatchingTests {
    private static func matched(_ message: String, _ things: [DiscoveredDevice]) throws -> [[String]] {
        let house = InterviewScenario(name: "house", messages: [], expectedDevices: []).snapshot
        var interview = Interview.start(id: "interview_1", in: house, discovered: things, at: InterviewScenario.start).interview
        _ = try interview.receive(message, at: InterviewScenario.start)
        return interview.candidates.map(\.matched)
    }

    @Test("A light named after the hall matches no lamp of the study and no Hue lamp")
    func names() throws {
        let hall = DiscoveredDevice(id: "hall", name: "Hall light", kind: .light, source: .mqtt)
        #expect(try Self.matched("A lamp in the study.", [hall]) == [[]])
        #expect(try Self.matched("Two Hue lamps in the study.", [hall]) == [[]])
        #expect(try Self.matched("A Hue lamp.", [hall]) == [[]])
        #expect(try Self.matched("A lamp in the hall.", [hall]) == [["hall"]])
        #expect(try Self.matched("A Hue lamp in the hall.", [hall]) == [["hall"]])
        #expect(try Self.matched("A lamp.", [hall]) == [["hall"]])
    }

    @Test("A room mentioned as a location is recorded once as a room")
    func rooms() throws {
        let house = HouseSnapshot(name: "House", zone: .gmt)
        var interview = Interview.start(id: "interview_1", in: house, discovered: [], at: InterviewScenario.start).interview
        _ = try interview.receive("Two Hue lamps.", at: InterviewScenario.start)
        _ = try interview.receive("They are in the attic.", at: InterviewScenario.start)
        #expect(interview.rooms.map(\.name) == ["Attic"] && interview.candidates.map(\.room?.name) == ["Attic"])
    }
}
