@testable import CardeaMind
import CardeaModel
import Foundation

extension FixtureRandom {
    /// A random cause about any of four devices and three people.
    mutating func cause(_ place: Int, at now: Date) -> Cause {
        let device = "device-\(index(4))"
        let actor = ["person:ada", "person:bea", "guest:plumber", nil][index(4)]
        let facts: [HouseEvent.Fact] = [
            .state("open"), .command(.unlock, .failed, refusal: nil), .sighting(type: "person", words: "secret"), .presence(isHome: true),
            .deviceStatus(.offline),
        ]
        let grounds = (0..<index(3)).map { step in
            EvidenceReference(
                HouseEvent(id: "happening_\(place)_\(step)", at: now, deviceID: device, actor: actor, fact: facts[index(facts.count)]))
        }
        let needs: Set<Cause.Need> = index(6) == 0 ? [Cause.Need.allCases[index(2)]] : []
        return Cause(
            "cause-\(place)", CauseKind.allCases[index(5)],
            EmotionVector(happiness: number(-1...1), worry: number(-1...1), boredom: number(-1...1), excitement: number(-1...1)),
            ParameterizedSentence("{} does something, number \(place).", "Thing \(device)"), on: grounds,
            devices: index(2) == 0 ? [device] : [],
            people: index(3) == 0 ? [actor].compactMap { $0 } : [], needs: needs, since: now)
    }

    mutating func visibility() -> RequesterVisibility {
        let devices: Set<String>? = index(2) == 0 ? nil : Set((0..<4).filter { _ in index(2) == 0 }.map { "device-\($0)" })
        return RequesterVisibility(
            key: ["person:ada", "person:bea"][index(2)], seesEverybody: index(2) == 0, seesGuests: index(2) == 0, seesEvents: index(2) == 0,
            seesEnergy: index(2) == 0, devices: devices)
    }
}
