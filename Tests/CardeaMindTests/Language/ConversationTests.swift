import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("One sentence follows another")
struct ConversationTests {
    private let house = RecordedHouse.shared

    private func talk(_ sentences: [String], faculties: Faculties = Faculties(), sight: Sight = RecordedHouse.owner) async throws -> [Reply]
    {
        let answering = Answering(lexicon: try Lexicon.english(), recollection: InMemory(house: house), faculties: faculties)
        var replies: [Reply] = []
        for sentence in sentences {
            replies.append(
                try await answering.answer(sentence, in: house.picture, seenBy: sight, at: RecordedHouse.now, after: replies.last?.exchange)
            )
        }
        return replies
    }

    private func words(_ reply: Reply?) -> [String] { reply?.suggestions.map(\.words) ?? [] }

    @Test("And the day before?")
    func dayBefore() async throws {
        let truth = Truth(house: house)
        let replies = try await talk([
            "who opened the front door yesterday?", "and the day before?", "and the day before that?", "what about Monday?",
        ])

        for (reply, day) in zip(replies, [-1, -2, -3, -3]) {
            let wanted = truth.turned("lock.front_door", "unlocked", Truth.at(day, "00:00"), Truth.at(day + 1, "00:00"))
            #expect(reply.findings.compactMap { if case .doing(let doing) = $0 { doing.at } else { nil } } == wanted.map(\.at))
        }
    }

    @Test("Turn it off")
    func it() async throws {
        let replies = try await talk(["is the desk lamp on?", "turn it off"])
        #expect(words(replies.last) == ["Turn off the desk lamp"])

        let several = try await talk(["which lights are on upstairs?", "turn them off"])
        #expect(words(several.last) == ["Turn off the desk lamp"])
    }

    @Test("And in the kitchen?")
    func elsewhere() async throws {
        let replies = try await talk(["how warm is it in the bedroom?", "and in the kitchen?", "and the study?"])
        let numbers = replies.compactMap { reply in
            reply.findings.compactMap { if case .number(let value, _, _) = $0 { value } else { nil } }.first
        }
        let truth = Truth(house: house)
        #expect(numbers == ["sensor.bedroom_temperature", "sensor.kitchen_temperature", "sensor.study_temperature"].map(truth.last))

        let wishes = try await talk(["turn off the lights in the study", "and in the kitchen"])
        #expect(words(wishes.last) == ["Turn off the kitchen ceiling light", "Turn off the counter light"])
    }

    @Test("And Ben?")
    func somebodyElse() async throws {
        let replies = try await talk(["when did Ada leave this morning?", "and Ben?", "and when did he come home?"])
        let truth = Truth(house: house)
        let left = truth.presence(false, Truth.at(0, "05:00"), Truth.at(0, "12:00"), of: "person:ben").map { Finding.moment($0.at) }
        let came = truth.presence(true, .distantPast, Truth.now, of: "person:ben").suffix(1).map { Finding.moment($0.at) }
        #expect(left.allSatisfy(replies[1].findings.contains))
        #expect(came.allSatisfy(replies[2].findings.contains))
    }

    @Test("Half a sentence never opens a door")
    func doors() async throws {
        let replies = try await talk(["unlock the back door", "and the front door"])
        #expect(words(replies.first) == ["Unlock the back door"])
        #expect(words(replies.last).isEmpty)
    }

    @Test("Feelings, what-if and memory are for those who know of them; without them the house says so")
    func faculties() async throws {
        let faculties = Faculties(
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
            let reply = try await talk([sentence], faculties: faculties)
            #expect(reply.first?.response == wanted)
            let without = try await talk([sentence])
            #expect(without.first?.confidence == 0)
        }
    }

    @Test("What a supposition is about can be found in the house")
    func supposed() async throws {
        let rooms = Rooms()
        let faculties = Faculties(whatIf: { supposed, house, _ in
            await rooms.note(house.rooms(meantBy: supposed.subject).map(\.id), house.devices(meantBy: supposed.subject).count)
            return Reply("!")
        })
        _ = try await talk(["what would it cost to keep 22 degrees in the living room all night?"], faculties: faculties)
        let (ids, count) = await (rooms.ids, rooms.count)
        #expect(ids == ["living-room"] && count == 5)
    }

    @Test("What is hidden sounds like what never was")
    func hiding() async throws {
        // The same house without anything that others did.
        let others = ["person:ada", "person:ben", "person:dan", "guest:greta", "guest:paul"]
        let quiet = Quiet(house: house, others: Set(others))
        let lexicon = try Lexicon.english()
        for sentence in [
            "did Ben come home yesterday?", "when did Ben leave?", "who is home?", "was anyone refused last week?",
            "what did Ada do today?", "who left this morning?", "where is Dan?",
            "how often did Greta open the front door last week?", "did any guest open the front door last week?",
            "was anyone home at noon yesterday?",
        ] {
            var told: [String] = []
            for recollection in [InMemory(house: house), quiet] as [any Recollection] {
                let answering = Answering(lexicon: lexicon, recollection: recollection)
                told.append(
                    try await answering.answer(sentence, in: house.picture, seenBy: RecordedHouse.member, at: RecordedHouse.now).response)
            }
            #expect(told.first == told.last, "“\(sentence)”")
        }
    }

    @Test("Whoever may not see energy, cameras or guests hears that, or that there is no such thing")
    func narrow() async throws {
        let narrow = Sight(key: "person:dan", seesEvents: false, seesEnergy: false, devices: ["hall-light", "front-door"])
        let energy = try await talk(["how much energy did we use yesterday?"], sight: narrow)
        let cameras = try await talk(["who was at the door today?"], sight: narrow)
        let hidden = try await talk(["is the back door locked?"], sight: narrow)
        let absent = try await talk(["is the cellar hatch locked?"], sight: narrow)
        #expect(energy[0].confidence == 0 && cameras[0].confidence == 0 && hidden[0].confidence == 0 && absent[0].confidence == 0)
        #expect(hidden[0].devices.isEmpty && !hidden[0].response.contains("locked"))
    }
}

/// A record in which others did nothing.
private struct Quiet: Recollection {
    let house: RecordedHouse
    let others: Set<String>

    func happenings(_ wanted: HappeningFilter, seenBy sight: Sight) async throws -> [Happening] {
        var all = wanted
        all.limit = 1000
        return try await InMemory(house: house).happenings(wanted, seenBy: sight).filter { $0.actor.map { !others.contains($0) } ?? true }
    }

    func hours(of entityID: String, from: Date, to: Date, seenBy sight: Sight) async throws -> [HourlyReading] { [] }
}

private actor Rooms {
    private(set) var ids: [String] = []
    private(set) var count = 0

    func note(_ ids: [String], _ count: Int) { (self.ids, self.count) = (ids, count) }
}
