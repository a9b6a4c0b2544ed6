import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMind

/// A front door, a back door, a lamp and a sensor, with a scripted history.
private struct ConfidenceFixture: HouseHistory {
    static let now = RecordedHouse.moment(0, "20:00")
    static let owner = RequesterVisibility(key: "person:ada", seesEverybody: true, seesGuests: true)
    static let member = RequesterVisibility(key: "person:cleo")

    var front = Entity(id: "lock.front_door", kind: .lock, name: "Front door", verbs: [.lock, .unlock], state: EntityState("locked"))
    var back = Entity(id: "lock.back_door", kind: .lock, name: "Back door", verbs: [.lock, .unlock], state: EntityState("locked"))
    var lamp = Entity(id: "light.hall", kind: .light, name: "Hall lamp", verbs: [.on, .off], state: EntityState("on"))
    var sensor = Entity(
        id: "sensor.kitchen", kind: .sensor, name: "Kitchen temperature", deviceClass: "temperature", unit: "°C", verbs: [],
        state: EntityState("18"))
    var recordedEvents: [HouseEvent] = []
    var readingHours: [Date] = []
    var clockIsSure = true

    /// Adds an event on the queried day, after all earlier ones.
    mutating func addEvent(
        _ time: String, _ fact: HouseEvent.Fact, on device: String = "front-door", by actor: String? = nil, after seconds: TimeInterval = 0
    ) {
        let entity = fact.kind == .standing ? nil : front.id
        recordedEvents.append(
            HouseEvent(
                id: "happening_\(recordedEvents.count + 1)", at: RecordedHouse.moment(0, time) + seconds, deviceID: device,
                entityID: entity, actor: actor, fact: fact))
    }

    func ask(_ sentence: String, seenBy visibility: RequesterVisibility = ConfidenceFixture.owner) async throws -> Reply {
        func device(_ id: String, _ name: String, _ entity: Entity) -> Device {
            Device(
                id: id, name: name, deviceClass: DeviceClass(of: [entity]), integration: "test",
                status: entity.lastReport == nil ? .online : .unknown, stateChangedAt: Self.now, entities: [entity])
        }
        let house = HouseSnapshot(
            name: "Home", zone: RecordedHouse.calendar.timeZone,
            devices: [
                device("front-door", "Front door", front), device("back-door", "Back door", back), device("hall-lamp", "Hall lamp", lamp),
                device("kitchen-sensor", "Kitchen sensor", sensor),
            ],
            people: [Inhabitant(key: "person:ada", name: "Ada"), Inhabitant(key: "person:ben", name: "Ben")])
        return try await QuestionAnswerer(lexicon: try Lexicon.english(), houseHistory: self).answer(
            sentence, in: house, seenBy: visibility, at: Self.now)
    }

    func events(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> [HouseEvent] {
        let found = recordedEvents.compactMap(visibility.redacted).filter { event in
            (wanted.entities.map { $0.contains(event.entityID ?? "") } ?? true)
                && (wanted.devices.map { $0.contains(event.deviceID ?? "") } ?? true)
                && (wanted.kinds.map { $0.contains(event.fact.kind) } ?? true) && (wanted.from.map { event.at >= $0 } ?? true)
                && (wanted.to.map { event.at < $0 } ?? true)
        }.sorted { $0.at < $1.at }
        return Array((wanted.newestFirst ? found.reversed() : found).prefix(wanted.limit))
    }

    func hours(of entityID: String, from: Date, to: Date, seenBy visibility: RequesterVisibility) async throws -> [HourlyReading] {
        guard entityID == sensor.id else { return [] }
        return readingHours.compactMap { HourlyReading([Reading(at: $0, value: 18)], in: $0) }
    }

    func isClockReliable() async throws -> Bool { clockIsSure }
}

@Suite("Unknown states are never answered with confidence")
struct UnknownStateAnswerTests {
    private func lost(_ state: String, at: Date) -> ConfidenceFixture {
        var house = ConfidenceFixture()
        house.back.state = EntityState()
        house.back.lastReport = LastReport(EntityState(state), at: at)
        return house
    }

    @Test("A door whose device is lost is unknown, whatever it last reported")
    func lost() async throws {
        let house = lost("locked", at: RecordedHouse.moment(0, "19:34"))
        let words = "The back door is not known; it last reported locked at 19:34."
        let one = try await house.ask("is the back door locked?")
        #expect(one.response == words && one.confidence == 0 && one.facts.isEmpty && one.devices == ["back-door"])

        let all = try await house.ask("is everything locked?")
        #expect(all.response == words + " The others are locked." && all.confidence == 0.4 && all.facts.isEmpty)

        let any = try await house.ask("is anything unlocked?")
        #expect(any.response == "As far as I know, nothing is unlocked. " + words && any.confidence == 0.6, "\(any.response)")
        #expect(!any.facts.contains(.truth(false)))

        let state = try await house.ask("what is the state of the back door?")
        #expect(state.response == words && state.confidence == 0, "\(state.response)")
    }

    @Test("One known unlocked door suffices for a no; an unknown door is listed separately")
    func known() async throws {
        var house = lost("locked", at: RecordedHouse.moment(-1, "23:34"))
        house.front.state = EntityState("unlocked")
        let all = try await house.ask("is everything locked?")
        #expect(all.response.hasPrefix("No, the front door is not locked.") && all.facts.first == .truth(false))
        #expect(all.response.hasSuffix("it last reported locked yesterday at 23:34."), "\(all.response)")

        let which = try await house.ask("which doors are unlocked?")
        #expect(which.devices == ["front-door"] && which.confidence == 0.8, "\(which.response)")
        #expect(which.response.contains("The back door is not known"), "\(which.response)")
    }

    @Test("A door that never reports is only assumed to be in its last requested state")
    func assumed() async throws {
        var house = ConfidenceFixture()
        house.front.isAssumed = true
        house.front.state = EntityState()
        house.addEvent("18:00", .command(.unlock, .unknown, refusal: nil), by: "person:ben")
        let door = try await house.ask("is the front door locked?")
        #expect(
            door.response == "I can only assume how the front door stands, since it never reports; it was last asked to unlock at 18:00."
                && door.confidence == 0 && door.facts.isEmpty, "\(door.response)")
        // Other people's commands are not shown to everyone.
        let told = try await house.ask("is the front door locked?", seenBy: ConfidenceFixture.member)
        #expect(told.response == "I can only assume how the front door stands, since it never reports.", "\(told.response)")

        house.lamp.isAssumed = true
        let lamp = try await house.ask("is the hall lamp on?")
        #expect(lamp.response == "I can only assume that the hall lamp is on." && lamp.confidence == 0.7, "\(lamp.response)")
    }

    @Test("A lost sensor gives no current temperature")
    func sensor() async throws {
        var house = ConfidenceFixture()
        house.sensor.state = EntityState()
        house.sensor.lastReport = LastReport(EntityState("17.5"), at: RecordedHouse.moment(0, "12:00"))
        let reply = try await house.ask("how warm is it?")
        #expect(reply.response == "The kitchen sensor is not known; it last reported 17.5 °C at 12:00." && reply.confidence == 0)
    }
}

@Suite("Confidence of answers")
struct AnswerConfidenceTests {
    @Test("An open command on an unlocked door counts as an opening and is attributed to the guest")
    func openAlready() async throws {
        var house = ConfidenceFixture()
        house.addEvent("08:00", .state("locked"))
        house.addEvent("17:00", .command(.unlock, .confirmed, refusal: nil), by: "person:ada")
        house.addEvent("17:00", .state("unlocked"), by: "person:ada", after: 2)
        house.addEvent("17:10", .command(.open, .confirmed, refusal: nil), by: "person:ben")
        house.addEvent("17:20", .state("locked"))
        let reply = try await house.ask("did Ben open the front door today?")
        #expect(reply.response.hasPrefix("Yes, Ben") && reply.response.contains("17:10") && reply.events == ["happening_4"])
        let often = try await house.ask("how often was the front door opened today?")
        #expect(often.facts.first == .count(2) && often.confidence == 1, "\(often.response)")
    }

    @Test("An unattributed unlock lowers the confidence that a person did not open the door")
    func byHand() async throws {
        var house = ConfidenceFixture()
        house.addEvent("08:00", .state("locked"))
        house.addEvent("12:00", .state("unlocked"))
        let reply = try await house.ask("did Ben open the front door today?")
        #expect(reply.response.hasPrefix("As far as I know, Ben did not open the front door"), "\(reply.response)")
        #expect(reply.response.hasSuffix("It was also done once by nobody I know of.") && reply.confidence == 0.6)
    }

    @Test("During an outage actions are unknown, and a change seen on return has only a time range")
    func away() async throws {
        var house = ConfidenceFixture()
        house.addEvent("08:00", .state("locked"))
        house.addEvent("13:00", .deviceStatus(.unknown))
        house.addEvent("14:20", .deviceStatus(.online))
        let none = try await house.ask("did anyone open the front door today?")
        #expect(!none.response.hasPrefix("No") && none.confidence == 0.6 && !none.facts.contains(.truth(false)))
        #expect(none.response.hasSuffix("From today at 13:00 to 14:20 the front door was out of reach; what happened then I do not know."))

        house.addEvent("14:20", .state("unlocked"))
        let reply = try await house.ask("who opened the front door today?")
        #expect(reply.response.contains("some time between today at 13:00 and today at 14:20"), "\(reply.response)")

        let locked = try await house.ask("was the front door locked today?")
        #expect(locked.facts.first != .truth(true), "\(locked.response)")
    }

    @Test("A period entirely within an outage has no answer")
    func blank() async throws {
        var house = ConfidenceFixture()
        house.addEvent("00:00", .state("locked"), after: -86_400)
        house.addEvent("00:00", .deviceStatus(.offline), after: -3600)
        let reply = try await house.ask("who opened the front door today?")
        #expect(reply.confidence == 0 && reply.response.hasPrefix("Since yesterday at 23:00 the front door is out of reach"))
    }

    @Test("A command with unknown outcome lowers the confidence of a no and is mentioned")
    func unclear() async throws {
        var house = ConfidenceFixture()
        house.addEvent("08:00", .state("locked"))
        house.addEvent("18:00", .command(.open, .unknown, refusal: nil), by: "person:ben")
        let none = try await house.ask("did anyone open the front door today?")
        #expect(none.response.hasPrefix("As far as I know, nobody opened the front door today."), "\(none.response)")
        let words = "Ben asked to open the front door today at 18:00, and what came of it is not known."
        #expect(none.response.hasSuffix(words) && none.confidence == 0.6 && !none.facts.contains(.truth(false)))
        let last = try await house.ask("when was the front door last opened?")
        #expect(last.response.hasSuffix(words) && last.confidence <= 0.5, "\(last.response)")
        let told = try await house.ask("what happened today?")
        #expect(told.response.contains("and it is not known whether it was done"), "\(told.response)")

        // Another person's failed command leaves no doubt about Ada, and a completed one leaves none at all.
        let ada = try await house.ask("did Ada open the front door today?")
        #expect(ada.response.hasPrefix("No") && ada.confidence == 1, "\(ada.response)")
        house.addEvent("18:00", .state("unlocked"), by: "person:ben", after: 40)
        #expect(try await house.ask("how often was the front door opened today?").confidence == 1)
    }

    @Test("A no about a door that never reports is never certain")
    func neverReports() async throws {
        var house = ConfidenceFixture()
        house.front.isAssumed = true
        house.front.state = EntityState()
        house.addEvent("08:00", .command(.lock, .unknown, refusal: nil), by: "person:ben")
        let none = try await house.ask("did anyone open the front door today?")
        #expect(none.response.hasPrefix("As far as I know, nobody") && none.confidence == 0.6, "\(none.response)")
        house.addEvent("17:00", .command(.open, .unknown, refusal: nil), by: "person:ben")
        house.addEvent("18:00", .command(.open, .unknown, refusal: nil), by: "person:ben")
        let asked = try await house.ask("did anyone open the front door today?")
        #expect(asked.response.contains("Twice it was asked for") && !asked.facts.contains(.truth(false)), "\(asked.response)")
    }

    @Test("An unattributed opening after a person's last one lowers the confidence")
    func lastOfMany() async throws {
        var house = ConfidenceFixture()
        house.addEvent("08:00", .state("locked"))
        house.addEvent("09:00", .command(.unlock, .confirmed, refusal: nil), by: "person:ben")
        house.addEvent("09:00", .state("unlocked"), by: "person:ben", after: 2)
        house.addEvent("10:00", .state("locked"))
        #expect(try await house.ask("when did Ben last open the front door?").confidence == 1)
        house.addEvent("12:00", .state("unlocked"))
        let reply = try await house.ask("when did Ben last open the front door?")
        #expect(reply.response.contains("09:00") && reply.confidence == 0.6, "\(reply.response)")
    }

    @Test("An outage ends with the next report, even without an online event")
    func backByReport() async throws {
        var house = ConfidenceFixture()
        house.addEvent("08:00", .state("locked"))
        house.addEvent("13:00", .deviceStatus(.unknown))
        house.addEvent("14:20", .state("unlocked"))
        house.addEvent("15:00", .state("locked"))
        let often = try await house.ask("how often was the front door opened today?")
        #expect(often.facts.first == .count(1) && often.confidence == 0.6, "\(often.response)")
        #expect(often.response.hasSuffix("From today at 13:00 to 14:20 the front door was out of reach; what happened then I do not know."))
        let later = try await house.ask("did anyone open the front door since 16:00?")
        #expect(later.response.hasPrefix("No") && later.confidence == 1, "\(later.response)")
    }

    @Test("After any outage a door is unknown until it reports")
    func unknownSince() async throws {
        var house = ConfidenceFixture()
        house.addEvent("08:00", .state("locked"))
        house.addEvent("13:00", .deviceStatus(.unknown))
        house.addEvent("13:00", .deviceStatus(.online), after: 10)
        let known = try await house.ask("was the front door locked today between 12:00 and 15:00?")
        #expect(known.facts.first == .truth(true), "\(known.response)")
        house.front.state = EntityState()
        house.front.lastReport = LastReport(EntityState("locked"), at: RecordedHouse.moment(0, "08:00"))
        let after = try await house.ask("was the front door locked today between 14:00 and 15:00?")
        #expect(after.facts.first != .truth(true) && after.facts.first != .truth(false), "\(after.response)")
        house.addEvent("14:30", .state("locked"))
        let said = try await house.ask("how long was the front door locked today between 14:00 and 15:00?")
        #expect(said.facts.first == .seconds(1800), "\(said.response)")
    }

    @Test("Outages at hub start are not listed, and simultaneous recoveries form one line")
    func restart() async throws {
        var house = ConfidenceFixture()
        for device in ["front-door", "back-door", "hall-lamp", "kitchen-sensor"] {
            house.addEvent("06:00", .deviceStatus(.unknown), on: device)
            house.addEvent("06:00", .deviceStatus(.online), on: device, after: 20)
        }
        house.addEvent("08:00", .state("unlocked"))
        let quiet = try await house.ask("what happened today?")
        #expect(quiet.events == ["happening_9"] && quiet.facts.first == .count(1), "\(quiet.response)")
        for device in ["front-door", "back-door", "hall-lamp", "kitchen-sensor"] {
            house.addEvent("10:00", .deviceStatus(.unknown), on: device)
            house.addEvent("11:00", .deviceStatus(.online), on: device)
        }
        let many = try await house.ask("what happened today?")
        #expect(many.facts.first == .count(3), "\(many.response)")
        #expect(many.response.contains("4 devices went offline.") && many.response.contains("4 devices came into reach."))
    }

    @Test("An erased actor does not turn a command into an opening by hand")
    func erased() async throws {
        var house = ConfidenceFixture()
        house.addEvent("08:00", .state("locked"))
        house.addEvent("12:00", .command(.unlock, .confirmed, refusal: nil))
        house.addEvent("12:00", .state("unlocked"), after: 1)
        let reply = try await house.ask("who opened the front door today?")
        #expect(reply.response.contains("by somebody whose name was erased") && reply.confidence == 0.8, "\(reply.response)")
    }

    @Test("Times from a clock that jumped are marked as uncertain")
    func clock() async throws {
        var house = ConfidenceFixture()
        house.addEvent("08:00", .state("locked"))
        house.addEvent("12:00", .state("unlocked"))
        house.clockIsSure = false
        let past = try await house.ask("when was the front door last opened?")
        let now = try await house.ask("is the front door locked?")
        #expect(past.response.hasSuffix("My clock jumped, so the times may be wrong.") && past.confidence == 0.8)
        #expect(now.confidence == 1)
    }

    @Test("An asker without access to commands gets the same caveat with and without hidden openings")
    func hidden() async throws {
        var (some, none) = (ConfidenceFixture(), ConfidenceFixture())
        for change in ["08:00", "09:00"] { some.addEvent(change, .state(change == "08:00" ? "locked" : "unlocked")) }
        none.recordedEvents = some.recordedEvents
        some.addEvent("12:00", .command(.unlock, .confirmed, refusal: nil), by: "person:ben")
        let replies = [
            try await some.ask("how often was the front door opened today?", seenBy: ConfidenceFixture.member),
            try await none.ask("how often was the front door opened today?", seenBy: ConfidenceFixture.member),
        ]
        #expect(replies[0].response == replies[1].response && replies[0].confidence == 0.8)
        #expect(replies[0].response.hasSuffix("Of what others asked for I can only tell you what changed."))
    }

    @Test("A sensor silent for longer than usual makes an answer likely, not certain")
    func silent() async throws {
        var house = ConfidenceFixture()
        house.readingHours = (10...50).reversed().map { ConfidenceFixture.now - Double($0) * 3600 }
        let reply = try await house.ask("how warm is it?")
        #expect(reply.confidence == 0.6 && reply.response.contains("has said nothing since"), "\(reply.response)")
        house.readingHours = (1...50).reversed().map { ConfidenceFixture.now - Double($0) * 3600 }
        #expect(try await house.ask("how warm is it?").confidence == 1)
    }

    @Test("The usual report interval is the longest silence; too few hours give none")
    func rhythm() throws {
        let start = RecordedHouse.moment(-3, "00:00")
        let hours = (0..<20).map { start + Double($0) * 7200 }
        let rhythm = try #require(ReportInterval(hours))
        #expect(rhythm.longest == 7200 && rhythm.last == hours.last)
        let end = rhythm.last + 3600
        #expect(rhythm.silence(at: end + 4 * 3600, seen: nil) == nil)
        #expect(rhythm.silence(at: end + 4 * 3600 + 1, seen: nil) == end)
        #expect(rhythm.silence(at: end + 4 * 3600 + 1, seen: end + 3600) == nil)
        #expect(ReportInterval(Array(hours.prefix(ReportInterval.minimumSamples - 1))) == nil)
    }

    @Test("Outages cover a period only without a gap between them")
    func cover() {
        let start = RecordedHouse.moment(0, "10:00")
        let (first, second) = (DeviceOutage(from: start - 60, to: start + 600), DeviceOutage(from: start + 600))
        #expect(DeviceOutage.cover([first, second], from: start, to: start + 3600))
        #expect(!DeviceOutage.cover([first], from: start, to: start + 3600))
        #expect(!DeviceOutage.cover([DeviceOutage(from: start + 1)], from: start, to: start + 3600))
    }

    @Test("An automatic relock right after an opening is mentioned beside it")
    func happened() async throws {
        var house = ConfidenceFixture()
        house.addEvent("12:00", .command(.unlock, .confirmed, refusal: nil), by: "person:ben")
        house.addEvent("12:00", .state("unlocked"), by: "person:ben", after: 2)
        house.addEvent("12:00", .state("locked"), after: 30)
        let reply = try await house.ask("what happened at the front door today?")
        #expect(reply.events == ["happening_1", "happening_3"], "\(reply.response)")
    }
}
