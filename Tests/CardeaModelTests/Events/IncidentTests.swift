import CardeaModel
import Foundation
import Testing

@Suite("Grouping of events into visits")
struct IncidentTests {
    private static let noon = Date(timeIntervalSince1970: 1_795_348_800)

    private func seen(_ type: DetectionType, at place: String = "porch", _ seconds: Double) -> Incident.Sighting {
        Incident.Sighting(place: place, at: Self.noon.addingTimeInterval(seconds), type: type)
    }

    @Test("A visit ends after a gap of more than a minute and a half")
    func gap() {
        var visit = Incident(id: "a", of: seen(.motion, 0))
        #expect(visit.accepts(seen(.person, 90)) && !visit.accepts(seen(.person, 90.001)) && !visit.accepts(seen(.person, at: "yard", 10)))

        visit.add(seen(.person, 90))

        #expect(visit.accepts(seen(.motion, 180)) && visit.hasPerson)
        #expect(visit.accepts(seen(.motion, -90)) && !visit.accepts(seen(.motion, -91)), "what comes late belongs there too")
    }

    @Test("A ring and a person at the door are one visit in either order")
    func ring() {
        let visitor = Incident(id: "a", of: seen(.person, 0))
        let bell = Incident(id: "b", of: seen(.ring, at: "bell", 0))
        let cat = Incident(id: "c", of: seen(.animal, 0))

        #expect(visitor.accepts(seen(.ring, at: "bell", 60)) && !visitor.accepts(seen(.ring, at: "bell", 61)))
        #expect(bell.accepts(seen(.person, 60)) && !bell.accepts(seen(.animal, 1)) && !cat.accepts(seen(.ring, at: "bell", 1)))
        #expect(Incident.match(for: seen(.ring, 1), among: [visitor, cat, bell])?.place == "porch")
    }

    @Test("Continuous traffic is split by the maximum duration of a visit")
    func longest() {
        var street = Incident(id: "a", of: seen(.vehicle, 0))
        var taken = 0
        for second in stride(from: 30.0, through: 7200, by: 30) where street.accepts(seen(.vehicle, second)) {
            street.add(seen(.vehicle, second))
            taken += 1
        }
        #expect(taken == 60 && street.endedAt.timeIntervalSince(street.startedAt) == Incident.maximumDuration)
    }

    @Test("Visits in any order have no gap, stay within the maximum and leave out no matching event")
    func anyOrder() {
        var dice = SeededGenerator.forTest(3)
        for _ in 0..<300 {
            var visits: [Incident] = []
            var members: [String: [Incident.Sighting]] = [:]
            for number in 0..<60 {
                let types: [DetectionType] = [.person, .vehicle, .motion, .ring]
                let sighting = seen(
                    types.randomElement(using: &dice) ?? .motion, at: ["porch", "yard", "bell"].randomElement(using: &dice) ?? "porch",
                    Double(Int.random(in: 0..<3600, using: &dice)))
                if var visit = Incident.match(for: sighting, among: visits) {
                    #expect(visit.accepts(sighting), "seed \(dice.seed)")
                    visit.add(sighting)
                    visits = visits.map { $0.id == visit.id ? visit : $0 }
                    members[visit.id, default: []].append(sighting)
                } else {
                    #expect(visits.allSatisfy { !$0.accepts(sighting) }, "seed \(dice.seed)")
                    visits.append(Incident(id: "\(number)", of: sighting))
                    members["\(number)"] = [sighting]
                }
            }
            #expect(members.values.reduce(0) { $0 + $1.count } == 60, "seed \(dice.seed)")
            for visit in visits {
                let times = (members[visit.id] ?? []).map(\.at).sorted()
                #expect(visit.startedAt == times.first && visit.endedAt == times.last, "seed \(dice.seed)")
                #expect(visit.endedAt.timeIntervalSince(visit.startedAt) <= Incident.maximumDuration, "seed \(dice.seed)")
                #expect(zip(times, times.dropFirst()).allSatisfy { $1.timeIntervalSince($0) <= Incident.gap }, "seed \(dice.seed)")
                #expect(visit.hasPerson == (members[visit.id] ?? []).contains { $0.type == .person }, "seed \(dice.seed)")
            }
        }
    }

    @Test(
        "An unknown detection type is kept, and an invalid one is refused",
        arguments: ["manual_trigger", "ring", "face.known", "0x-9"])
    func words(word: String) throws {
        let type = try #require(DetectionType(rawValue: word))
        #expect(try JSONDecoder().decode(DetectionType.self, from: JSONEncoder().encode(type)) == type)
        for bad in ["", "_x", "Person", "a b", "ä", String(repeating: "a", count: 65)] { #expect(DetectionType(rawValue: bad) == nil) }
        #expect(try JSONDecoder().decode([DetectionType].self, from: Data(#"["Something New"]"#.utf8)).first?.rawValue == "Something New")
    }
}
