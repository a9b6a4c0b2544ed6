import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Question answering")
struct QuestionAnswererTests {
    private let house = RecordedHouse.shared
    private let answerer: QuestionAnswerer

    init() throws {
        let (house, houseHistory) = (RecordedHouse.shared, RecordedHouseReader(.shared))
        // The mood after one look at the last day, and at the time when unreachable devices were lost.
        var mood = Mood(at: RecordedHouse.now)
        let day = RecordedHouse.now - 86_400
        let losses = house.snapshot.devices.filter { $0.status == .offline || $0.status == .error }.compactMap { device in
            house.events.last { $0.at < day && $0.deviceID == device.id && $0.fact.kind == .standing }
        }
        let lately = losses + house.events.filter { $0.at >= day }
        mood.update(CauseDetector(snapshot: house.snapshot, events: lately, now: RecordedHouse.now).causes(), at: RecordedHouse.now)
        let imagining = WhatIfService(houseReader: houseHistory, records: houseHistory, houseHistory: houseHistory) { RecordedHouse.now }
        let capabilities = MindCapabilities(
            mood: { [mood] feeling, visibility in
                let why = mood.explain(feeling.flatMap { Emotion(rawValue: $0.rawValue) }, seenBy: visibility)
                var reply = Reply(why.words)
                (reply.events, reply.devices) = (why.events, why.devices)
                return reply
            },
            whatIf: { supposed, snapshot, visibility in
                try await imagining.reply(to: supposed, in: snapshot, seenBy: visibility, preferences: Preferences())
            })
        answerer = QuestionAnswerer(lexicon: try Lexicon.english(), houseHistory: houseHistory, capabilities: capabilities)
    }

    private func answer(_ sentence: String, by asker: RecordedHouse.Asker = .owner) async throws -> Reply {
        try await answerer.answer(sentence, in: house.snapshot, seenBy: house.visibility(of: asker), at: RecordedHouse.now)
    }

    @Test("A thousand questions over thirty days match their labels, for owner, admin, member and approver")
    func labelled() async throws {
        let all = LabelledQuestion.all.filter { $0.requirement == nil }
        for question in all {
            let reply = try await answer(question.sentence, by: question.asker)
            for problem in question.problems(with: reply, in: house) {
                Issue.record("\(question.asker): “\(question.sentence)” → “\(reply.response)” (\(reply.confidence)): \(problem)")
            }
        }
        let unanswerable = Set(all.filter(\.isUnanswerable).map(\.sentence)).subtracting(all.filter { !$0.isUnanswerable }.map(\.sentence))
        for asker in RecordedHouse.Asker.allCases {
            let sentences = Set(all.filter { $0.asker == asker }.map(\.sentence))
            #expect(sentences.count >= 300, "\(asker) asks \(sentences.count)")
        }
        #expect(unanswerable.count >= 40)
    }

    @Test(
        "An answer with unrelated sources fails the check",
        arguments: [
            "is the back door locked?", "Is there smoke?", "how often did the smoke alarm go off this week?", "which windows are open?",
            "is anything unlocked?", "which devices are offline?", "is Ben home?", "how many lights are there upstairs?",
            "was the study sensor offline on 26 October?", "is it warmer in the living room than outside?",
        ])
    func irrelevant(sentence: String) async throws {
        let label = try #require(LabelledQuestion.all.first { $0.sentence == sentence && $0.asker == .owner })
        let other = try #require(house.events.last { $0.entityID == "switch.coffee" && $0.fact.kind == .state })
        var reply = try await answer(sentence)

        #expect(label.problems(with: reply, in: house).isEmpty)
        reply.events.append(other.id)
        #expect(!label.problems(with: reply, in: house).isEmpty)
    }

    @Test("An asker who sees few devices learns nothing of the others, by name, source or suggestion")
    func narrow() async throws {
        let few: Set = ["garage-door", "television", "kitchen-light", "sofa-lamp", "kitchen-window", "bedroom-sensor"]
        let visibility = RequesterVisibility(key: house.key(of: .member), seesEvents: false, seesEnergy: false, devices: few)
        let hidden = house.snapshot.devices.filter { !few.contains($0.id) }
        let shown = house.snapshot.seen(by: visibility).devices.flatMap(\.entities).map { "readings_\($0.id)_" }
        let happened = Set(house.events.filter { visibility.redacted($0) != nil }.map(\.id))
        var answered = 0
        for sentence in Set(LabelledQuestion.all.filter { $0.requirement == nil }.map(\.sentence)).sorted() {
            let reply = try await answerer.answer(sentence, in: house.snapshot, seenBy: visibility, at: RecordedHouse.now)
            answered += reply.confidence > 0 ? 1 : 0
            let told = "“\(sentence)” → “\(reply.response)”"

            // A person's own words may be repeated.
            let said = ([reply.response] + reply.choices + reply.suggestions.map(\.words)).joined(separator: "; ").lowercased()
            let names = hidden.map { $0.name.lowercased() }.filter { said.contains($0) && !sentence.lowercased().contains($0) }
            #expect(names.isEmpty && !said.contains("kwh"), "\(told): \(names)")
            #expect(few.isSuperset(of: reply.devices), "\(told): \(reply.devices)")
            let strange = reply.events.filter { id in !happened.contains(id) && !shown.contains { id.hasPrefix($0) } }
            #expect(strange.isEmpty, "\(told): \(strange)")
            for case .device(let id, _, _, _) in reply.suggestions.map(\.action) { #expect(few.contains(id), "\(told): \(id)") }
            for finding in reply.facts {
                switch finding {
                case .device(let id): #expect(few.contains(id), "\(told): \(id)")
                case .action(let deed): #expect(few.contains(deed.deviceID), "\(told): \(deed)")
                case .number(_, _, let of): #expect(of.map(few.contains) ?? true, "\(told): \(finding)")
                default: break
                }
            }
        }
        print("asked by who sees a few things: answered \(answered)")
        #expect(answered > 40)
    }

    @Test("Missing kinds in a question about several kinds are named")
    func kinds() async throws {
        for sentence in ["lamps and locks in the study?", "which locks and lamps are in the study?"] {
            let reply = try await answer(sentence)
            #expect(Set(reply.devices) == ["desk-lamp", "study-light", "evil"], "\(reply.response)")
            #expect(reply.response.contains("Desk lamp") && reply.response.contains("no deadbolt"), "\(reply.response)")
        }
    }

    @Test("A typo gives the right answer or none")
    func typos() async throws {
        var random = SeededGenerator(state: 7)
        var slips: [String: String] = [:]
        for question in LabelledQuestion.all where question.asker == .owner && question.requirement == nil && !question.isUnanswerable {
            slips[question.sentence] = Self.mistype(question.sentence, &random)
        }
        for asker in RecordedHouse.Asker.allCases {
            var (asked, answered) = (0, 0)
            for question in LabelledQuestion.all where question.asker == asker && question.requirement == nil {
                guard let mistyped = slips[question.sentence] else { continue }
                let reply = try await answer(mistyped, by: asker)
                // A misspelling does not reveal what they may not know either.
                asked += question.isUnanswerable ? 0 : 1
                guard reply.confidence > 0 else { continue }
                answered += question.isUnanswerable ? 0 : 1
                if let problem = question.problem(with: reply, in: house) {
                    Issue.record("\(asker): “\(mistyped)” → “\(reply.response)”: \(problem)")
                }
            }
            print("mistyped questions of \(asker): \(asked), read through: \(answered)")
            #expect(asked >= 200 && answered * 10 >= asked * 8, "\(asker)")
        }
    }

    /// One typing error in one of the longer words: two letters swapped, one dropped, one doubled.
    private static func mistype(_ sentence: String, _ random: inout SeededGenerator) -> String? {
        var words = sentence.components(separatedBy: " ")
        let long = words.indices.filter { words[$0].count >= 6 && words[$0].allSatisfy(\.isLetter) }
        guard let which = long.randomElement(using: &random) else { return nil }
        var letters = Array(words[which])
        let place = Int.random(in: 1..<letters.count - 1, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: letters.swapAt(place, place + 1)
        case 1: letters.remove(at: place)
        default: letters.insert(letters[place], at: place)
        }
        words[which] = String(letters)
        return words.joined(separator: " ")
    }
}
