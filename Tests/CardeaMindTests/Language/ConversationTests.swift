import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Follow-up sentences in a conversation")
struct ConversationTests {
    private let house = RecordedHouse.shared

    private func converse(
        _ sentences: [String], capabilities: MindCapabilities = MindCapabilities(), visibility: RequesterVisibility = RecordedHouse.owner
    ) async throws -> [Reply] {
        let answerer = QuestionAnswerer(
            lexicon: try Lexicon.english(), houseHistory: RecordedHouseReader(house), capabilities: capabilities)
        var replies: [Reply] = []
        for sentence in sentences {
            replies.append(
                try await answerer.answer(
                    sentence, in: house.snapshot, seenBy: visibility, at: RecordedHouse.now, after: replies.last?.context)
            )
        }
        return replies
    }

    private func words(_ reply: Reply?) -> [String] { reply?.suggestions.map(\.words) ?? [] }

    @Test("`And the day before` moves the period of the previous question")
    func dayBefore() async throws {
        let truth = GroundTruth(house: house)
        let replies = try await converse([
            "who opened the front door yesterday?", "and the day before?", "and the day before that?", "what about Monday?",
        ])

        for (reply, day) in zip(replies, [-1, -2, -3, -3]) {
            let wanted = truth.stateChanges("lock.front_door", "unlocked", GroundTruth.at(day, "00:00"), GroundTruth.at(day + 1, "00:00"))
            #expect(reply.facts.compactMap { if case .action(let doing) = $0 { doing.at } else { nil } } == wanted.map(\.at))
        }
    }

    @Test("A pronoun refers to the devices of the previous answer")
    func it() async throws {
        let replies = try await converse(["is the desk lamp on?", "turn it off"])
        #expect(words(replies.last) == ["Turn off the desk lamp"])

        let several = try await converse(["which lights are on upstairs?", "turn them off"])
        #expect(words(several.last) == ["Turn off the desk lamp"])
    }

    @Test("A follow-up with another room repeats the question or command for that room")
    func elsewhere() async throws {
        let replies = try await converse(["how warm is it in the bedroom?", "and in the kitchen?", "and the study?"])
        let numbers = replies.compactMap { reply in
            reply.facts.compactMap { if case .number(let value, _, _) = $0 { value } else { nil } }.first
        }
        let truth = GroundTruth(house: house)
        #expect(numbers == ["sensor.bedroom_temperature", "sensor.kitchen_temperature", "sensor.study_temperature"].map(truth.last))

        let wishes = try await converse(["turn off the lights in the study", "and in the kitchen"])
        #expect(words(wishes.last) == ["Turn off the kitchen ceiling light", "Turn off the counter light"])
    }

    // "When was it locked?", after a question about an unknown door, was once answered about the door before it.
    @Test("A pronoun refers to the last subject, and to nothing after a sentence that was not understood")
    func referent() async throws {
        let replies = try await converse(["is the front door locked?", "and the back door?", "when was it locked?"])
        let wanted = try #require(GroundTruth(house: house).stateChanges("lock.back_door", "locked", .distantPast, GroundTruth.now).last)
        #expect(replies.last?.facts.contains(.moment(wanted.at)) == true && replies.last?.devices == ["back-door"])

        let sure = try await converse(["is the back door locked?", "and the front door?", "when was it locked?", "is it open or closed?"])
        let front = try #require(GroundTruth(house: house).stateChanges("lock.front_door", "locked", .distantPast, GroundTruth.now).last)
        #expect(sure[2].facts.contains(.moment(front.at)) && sure[2].devices == ["front-door"] && sure[3].devices == ["front-door"])
        let lost = try await converse(["is the front door locked?", "and the conservatory?", "when was it locked?"])
        #expect(lost[1].confidence == 0 && lost[2].confidence == 0 && lost[2].devices.isEmpty, "\(lost[2].response)")
    }

    @Test("Two questions in one sentence are both answered with their own sources")
    func several() async throws {
        let both = try await converse(["is the front door locked and is the garage closed?"])
        let parts = try await converse(["is the front door locked?", "is the garage closed?"])
        #expect(both[0].response == parts.map(\.response).joined(separator: " "))
        #expect(both[0].events == parts.flatMap(\.events) && both[0].devices == ["front-door", "garage-door"])
        let short = try await converse(["is the front door locked and the garage closed?"])
        #expect(short[0].response == both[0].response)

        let mixed = try await converse(["is the desk lamp on and turn off the sofa lamp"])
        #expect(
            mixed[0].response.hasPrefix("Yes, the desk lamp is on. Shall I turn off the sofa lamp?")
                && words(mixed[0]).last == "Turn off the sofa lamp")
        let seen = try await converse(["did anyone ring today and was there a parcel yesterday?"])
        let alone = try await converse(["did anyone ring today?", "was there a parcel yesterday?"])
        #expect(seen[0].response == alone.map(\.response).joined(separator: " ") && seen[0].events == alone.flatMap(\.events))
        let wished = try await converse(["is the desk lamp on?", "turn it off and lock the front door"])
        #expect(wished[1].response == "Shall I turn off the desk lamp and lock the front door? Nothing is done until you confirm it.")
        let pointing = try await converse(["who opened the back door yesterday and when was it locked?"])
        #expect(pointing[0].response.contains("19:06") && pointing[0].devices == ["back-door"], "\(pointing[0].response)")
    }

    // A planned lock once made the answer uncertain, and an open garage did not count in "everything".
    @Test("Everything locked includes the garage and excludes planned devices")
    func lockedUp() async throws {
        let answerer = QuestionAnswerer(lexicon: try Lexicon.english(), houseHistory: RecordedHouseReader(house))
        var snapshot = house.snapshot
        let planned = Device(
            id: "shed", name: "Shed", deviceClass: .security, integration: Device.planned, stateChangedAt: RecordedHouse.now,
            entities: [Entity(id: "lock.shed", kind: .lock, name: "Shed", verbs: [.lock, .unlock])])
        snapshot.devices.append(planned)
        func ask(_ sentence: String) async throws -> Reply {
            try await answerer.answer(sentence, in: snapshot, seenBy: RecordedHouse.owner, at: RecordedHouse.now)
        }
        let shut = try await ask("is everything locked?")
        #expect(shut.confidence == 1 && shut.facts == [.truth(true)], "\(shut.response)")
        let place = try #require(snapshot.devices.firstIndex { $0.id == "garage-door" })
        snapshot.devices[place].entities[0].state.value = "open"
        let open = try await ask("everything locked?")
        #expect(open.response == "No, the garage door is open." && open.devices == ["garage-door"], "\(open.response)")
        #expect(try await ask("is the shed locked?").confidence == 0)
    }

    @Test("Questions about usual times query the memory, and `of` is read as `off`")
    func usual() async throws {
        let capabilities = MindCapabilities(memory: { ask, _ in
            if case .recall(let text) = ask { Reply("recall \(text)") } else { Reply("?") }
        })
        let usual = try await converse(["when is the garage door usually closed?"], capabilities: capabilities)
        #expect(usual[0].response == "Recall garage door")
        #expect(try await converse(["when does Ben usually come home?"], capabilities: capabilities)[0].response == "Recall Ben home")
        let slip = try await converse(["turn of the desk lamp", "is anything wrong with the desk lamp?"])
        #expect(words(slip[0]) == ["Turn off the desk lamp"] && slip[1].devices == ["desk-lamp"])
    }

    @Test("Two places are compared, and a period can be a person's absence")
    func bound() async throws {
        let truth = GroundTruth(house: house)
        let warmer = try await converse(["is the living room warmer than the bedroom?", "is the kitchen colder than the living room?"])
        #expect(warmer[0].facts.first == .truth(truth.last("sensor.living_temperature") > truth.last("sensor.bedroom_temperature")))
        #expect(warmer[1].facts.first == .truth(truth.last("sensor.kitchen_temperature") < truth.last("sensor.living_temperature")))
        #expect(warmer[0].response.contains("in the living room and") && warmer[0].confidence == 1, "\(warmer[0].response)")

        let turned = try await converse(["is it warmer in the bedroom than in the living room?", "tell me about the desk lamp"])
        #expect(turned[0].facts.first == .truth(truth.last("sensor.bedroom_temperature") > truth.last("sensor.living_temperature")))
        #expect(turned[1].devices == ["desk-lamp"])

        let left = try #require(truth.presence(false, .distantPast, GroundTruth.now, of: "person:ada").last)
        let came = try #require(truth.presence(true, left.at, GroundTruth.now, of: "person:ada").first)
        let wanted = truth.stateChanges("cover.garage", "open", left.at, came.at)
        let away = try await converse(["who opened the garage while I was away?", "did anyone open the garage while Ben was home?"])
        #expect(away[0].facts.compactMap { if case .action(let doing) = $0 { doing.at } else { nil } } == wanted.map(\.at))
        #expect(
            away[0].confidence == 1 && away[1].confidence == 1 && away[1].response.contains("while Ben was home"), "\(away[1].response)")
        let hidden = try await converse(["who opened the garage while Ben was away?"], visibility: RecordedHouse.member)
        #expect(hidden[0].confidence == 0 && hidden[0].facts.isEmpty)
    }

    @Test("A command for several devices gives one suggestion and names devices that cannot do it")
    func together() async throws {
        let replies = try await converse(["turn off the desk lamp, and the sofa lamp", "turn off the desk lamp and the garage door"])
        #expect(replies[0].response == "Shall I turn off the desk lamp and the sofa lamp? Nothing is done until you confirm it.")
        #expect(words(replies[1]) == ["Turn off the desk lamp"] && replies[1].response.contains("The garage door cannot do that."))
    }

    @Test("A follow-up with another person's name repeats the question for that person")
    func somebodyElse() async throws {
        let replies = try await converse(["when did Ada leave this morning?", "and Ben?", "and when did he come home?"])
        let truth = GroundTruth(house: house)
        let left = truth.presence(false, GroundTruth.at(0, "05:00"), GroundTruth.at(0, "12:00"), of: "person:ben").map {
            AnswerFact.moment($0.at)
        }
        let came = truth.presence(true, .distantPast, GroundTruth.now, of: "person:ben").suffix(1).map { AnswerFact.moment($0.at) }
        #expect(left.allSatisfy(replies[1].facts.contains))
        #expect(came.allSatisfy(replies[2].facts.contains))
    }

    @Test("An incomplete follow-up never suggests opening a door")
    func doors() async throws {
        let replies = try await converse(["unlock the back door", "and the front door"])
        #expect(words(replies.first) == ["Unlock the back door"])
        #expect(words(replies.last).isEmpty)
    }

    @Test("Mood, what-if and memory need their capability; without it the answer says so")
    func capabilities() async throws {
        let capabilities = MindCapabilities(
            mood: { feeling, _ in Reply("mood \(feeling?.rawValue ?? "all")") },
            whatIf: { supposed, _, _ in
                Reply("what if \(supposed.temperature ?? 0) \(supposed.isNight) \(supposed.duration ?? 0) \(supposed.asksCost)")
            },
            memory: { ask, _ in
                switch ask {
                case .remember(let text): Reply("remember \(text)")
                case .recall(let text): Reply("recall \(text)")
                default: Reply("?")
                }
            })
        let sentences = [
            "how are you?": "Mood all", "why are you worried?": "Mood worry", "are you happy": "Mood happiness",
            "What would it cost to keep 22 degrees all night?": "What if 22.0 true 0.0 true",
            "what if we keep 20.5° for three hours": "What if 20.5 false 10800.0 false",
            "remember that the boiler was serviced in May": "Remember the boiler was serviced in May",
            "what do you remember about the boiler?": "Recall the boiler", "do you remember the plumber?": "Recall the plumber",
        ]
        for (sentence, wanted) in sentences {
            let reply = try await converse([sentence], capabilities: capabilities)
            #expect(reply.first?.response == wanted)
            let without = try await converse([sentence])
            #expect(without.first?.confidence == 0)
        }
    }

    @Test("The room and devices of a what-if question are resolved in the house")
    func supposed() async throws {
        let rooms = RoomRecorder()
        let capabilities = MindCapabilities(whatIf: { supposed, house, _ in
            await rooms.note(house.rooms(meantBy: supposed.subject).map(\.id), house.devices(meantBy: supposed.subject).count)
            return Reply("!")
        })
        _ = try await converse(["what would it cost to keep 22 degrees in the living room all night?"], capabilities: capabilities)
        let (ids, count) = await (rooms.ids, rooms.count)
        #expect(ids == ["living-room"] && count == 5)
    }

    @Test("Hidden things get the same answer as missing ones")
    func hiding() async throws {
        // The same house without other people's actions.
        let others = ["person:ada", "person:ben", "person:dan", "guest:greta", "guest:paul"]
        let quiet = OwnEventsHistory(house: house, others: Set(others))
        let lexicon = try Lexicon.english()
        for sentence in [
            "did Ben come home yesterday?", "when did Ben leave?", "who is home?", "was anyone refused last week?",
            "what did Ada do today?", "who left this morning?", "where is Dan?",
            "how often did Greta open the front door last week?", "did any guest open the front door last week?",
            "was anyone home at noon yesterday?",
        ] {
            var told: [String] = []
            for houseHistory in [RecordedHouseReader(house), quiet] as [any HouseHistory] {
                let answerer = QuestionAnswerer(lexicon: lexicon, houseHistory: houseHistory)
                told.append(
                    try await answerer.answer(sentence, in: house.snapshot, seenBy: RecordedHouse.member, at: RecordedHouse.now).response)
            }
            #expect(told.first == told.last, "“\(sentence)”")
        }
    }

    @Test("Without access, questions about energy, cameras or hidden devices have confidence 0")
    func narrow() async throws {
        let narrow = RequesterVisibility(key: "person:dan", seesEvents: false, seesEnergy: false, devices: ["hall-light", "front-door"])
        let energy = try await converse(["how much energy did we use yesterday?"], visibility: narrow)
        let cameras = try await converse(["who was at the door today?"], visibility: narrow)
        let hidden = try await converse(["is the back door locked?"], visibility: narrow)
        let absent = try await converse(["is the cellar hatch locked?"], visibility: narrow)
        #expect(energy[0].confidence == 0 && cameras[0].confidence == 0 && hidden[0].confidence == 0 && absent[0].confidence == 0)
        #expect(hidden[0].devices.isEmpty && !hidden[0].response.contains("locked"))
    }
}

// "Were all the doors locked last night?" was once answered "yes" when one of them was, though another was unlocked.
@Suite("Past state questions cover each device")
struct PastStateAnswerTests {
    private let house = RecordedHouse.shared

    /// The answer of a house whose only events are these reports of its doors.
    private func ask(_ sentence: String, after said: [(String, String, Date)]) async throws -> Reply {
        let events = said.enumerated().map { number, said in
            HouseEvent(
                id: "happening_\(number)", at: said.2,
                deviceID: house.snapshot.devices.first { $0.entities.contains { $0.id == said.0 } }?.id, entityID: said.0, actor: nil,
                fact: .state(said.1))
        }
        let answerer = QuestionAnswerer(lexicon: try Lexicon.english(), houseHistory: ScriptedHouseHistory(events: events))
        return try await answerer.answer(sentence, in: house.snapshot, seenBy: RecordedHouse.owner, at: RecordedHouse.now)
    }

    private let earlier = RecordedHouse.moment(-3, "12:00")
    private let night = RecordedHouse.moment(-1, "23:00")

    @Test("A device that was unlocked is named with its times")
    func one() async throws {
        let reply = try await ask(
            "were all the doors locked last night?",
            after: [
                ("lock.back_door", "locked", earlier), ("lock.front_door", "locked", earlier), ("cover.garage", "closed", earlier),
                ("lock.back_door", "unlocked", night), ("lock.back_door", "locked", night + 600),
            ])

        #expect(reply.facts == [.truth(false), .device("back-door")] && reply.confidence == 1, "\(reply.response)")
        #expect(reply.response.hasPrefix("No") && reply.response.contains("back door was unlocked from"), "\(reply.response)")
        #expect(reply.events == ["happening_3", "happening_4"] && reply.devices == ["back-door"])
    }

    @Test("An open garage counts as not locked")
    func garage() async throws {
        let reply = try await ask(
            "was everything locked last night?",
            after: [
                ("lock.back_door", "locked", earlier), ("lock.front_door", "locked", earlier), ("cover.garage", "open", earlier),
            ])

        #expect(reply.facts == [.truth(false), .device("garage-door")], "\(reply.response)")
        #expect(reply.response.contains("garage door was open the whole time"), "\(reply.response)")
    }

    @Test("A device with unknown history is named as unknown and prevents a yes")
    func unknown() async throws {
        let said = [("lock.back_door", "locked", earlier), ("cover.garage", "closed", earlier)]
        let unsure = try await ask("were all the doors locked last night?", after: said)
        let late = try await ask("were all the doors locked last night?", after: said + [("lock.front_door", "locked", night)])
        let whole = try await ask("were all the doors locked last night?", after: said + [("lock.front_door", "locked", earlier)])

        for reply in [unsure, late] {
            #expect(reply.facts == [.truth(false)] && reply.confidence == 0.4, "\(reply.response)")
            #expect(reply.response.contains("not sure of the front door"), "\(reply.response)")
        }
        #expect(whole.facts == [.truth(true)] && whole.confidence == 1, "\(whole.response)")
        #expect(whole.response.contains("were locked the whole time"), "\(whole.response)")
    }

    // "Was the back door open last night?" was once answered "no", though nothing was known.
    @Test("A device with unknown history gets no invented state")
    func nothing() async throws {
        let reply = try await ask("is the kitchen window open?", after: [])
        let then = try await ask("was the kitchen window open last night?", after: [("lock.back_door", "locked", earlier)])

        #expect(reply.confidence == 1 && then.confidence == 0 && then.facts.isEmpty, "\(then.response)")
    }
}

@Suite("Truncated answers say what they omit")
struct AnswerTruncationTests {
    private func ask(_ sentence: String, of devices: [Device]) async throws -> Reply {
        let events = devices.enumerated().map { number, device in
            EmotionFixtures.event(
                number, EmotionFixtures.noon - 3600, device: device.id, entity: device.entities.first?.id,
                .state(device.entities.first?.state.value ?? ""))
        }
        let house = HouseSnapshot(name: "Home", zone: EmotionFixtures.zone, devices: devices)
        let answerer = QuestionAnswerer(lexicon: try Lexicon.english(), houseHistory: ScriptedHouseHistory(events: events))
        return try await answerer.answer(sentence, in: house, seenBy: EmotionFixtures.owner, at: EmotionFixtures.noon)
    }

    // Twelve of fifteen lamps were listed, without a hint that three were missing; the same for events.
    @Test("Long lists name the first items and count the rest, sources included")
    func many() async throws {
        let lamps = (10..<25).map {
            EmotionFixtures.device("lamp\($0)", "Lamp \($0)", EmotionFixtures.entity("light.l\($0)", .light, "on"))
        }
        let all = try await ask("which lights are on?", of: lamps)
        #expect(all.response.contains(" and 3 more are on."), "\(all.response)")
        #expect(all.events.count == 12 && all.moreEvents == 3 && all.devices.count == 15)

        let few = try await ask("which lights are on?", of: Array(lamps.prefix(12)))
        #expect(!few.response.contains("more") && few.events.count == 12 && few.moreEvents == 0, "\(few.response)")

        let alarms = (10..<18).map {
            EmotionFixtures.device(
                "alarm\($0)", "Alarm \($0)", EmotionFixtures.entity("binary_sensor.a\($0)", .binarySensor, "on", deviceClass: "smoke"))
        }
        let smoke = try await ask("is there smoke?", of: alarms)
        #expect(smoke.response.hasSuffix(" 2 more are not told here.") && smoke.events.count == 8, "\(smoke.response)")
    }
}

/// A scripted history.
private struct ScriptedHouseHistory: HouseHistory {
    let events: [HouseEvent]

    func events(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> [HouseEvent] {
        let found = events.filter { event in
            (wanted.entities.map { $0.contains(event.entityID ?? "") } ?? true)
                && (wanted.devices.map { $0.contains(event.deviceID ?? "") } ?? true)
                && (wanted.kinds.map { $0.contains(event.fact.kind) } ?? true) && (wanted.from.map { event.at >= $0 } ?? true)
                && (wanted.to.map { event.at < $0 } ?? true)
        }.sorted { $0.at < $1.at }
        return Array((wanted.newestFirst ? found.reversed() : found).prefix(wanted.limit))
    }

    func hours(of entityID: String, from: Date, to: Date, seenBy visibility: RequesterVisibility) async throws -> [HourlyReading] { [] }
}

/// A history without other people's actions.
private struct OwnEventsHistory: HouseHistory {
    let house: RecordedHouse
    let others: Set<String>

    func events(_ wanted: HouseEventFilter, seenBy visibility: RequesterVisibility) async throws -> [HouseEvent] {
        var all = wanted
        all.limit = 1000
        return try await RecordedHouseReader(house).events(wanted, seenBy: visibility).filter {
            $0.actor.map { !others.contains($0) } ?? true
        }
    }

    func hours(of entityID: String, from: Date, to: Date, seenBy visibility: RequesterVisibility) async throws -> [HourlyReading] { [] }
}

private actor RoomRecorder {
    private(set) var ids: [String] = []
    private(set) var count = 0

    func note(_ ids: [String], _ count: Int) { (self.ids, self.count) = (ids, count) }
}
