@testable import CardeaMind
import CardeaModel
import Foundation

extension FeltDice {
    /// Any cause at all, about any of four devices and three people.
    mutating func cause(_ place: Int, at now: Date) -> Cause {
        let device = "device-\(roll(4))"
        let actor = ["person:ada", "person:bea", "guest:plumber", nil][roll(4)]
        let facts: [Happening.Fact] = [
            .state("open"), .asked(.unlock, .failed, refusal: nil), .seen(type: "person", words: "secret"), .presence(isHome: true),
            .standing(.offline),
        ]
        let grounds = (0..<roll(3)).map { step in
            Ground(
                Happening(id: "happening_\(place)_\(step)", at: now, deviceID: device, actor: actor, fact: facts[roll(facts.count)]))
        }
        let needs: Set<Cause.Need> = roll(6) == 0 ? [Cause.Need.allCases[roll(2)]] : []
        return Cause(
            "cause-\(place)", CauseKind.allCases[roll(5)],
            EmotionVector(happiness: number(-1...1), worry: number(-1...1), boredom: number(-1...1), excitement: number(-1...1)),
            Saying("{} does something, number \(place).", "Thing \(device)"), on: grounds, devices: roll(2) == 0 ? [device] : [],
            people: roll(3) == 0 ? [actor].compactMap { $0 } : [], needs: needs, since: now)
    }

    mutating func sight() -> Sight {
        let devices: Set<String>? = roll(2) == 0 ? nil : Set((0..<4).filter { _ in roll(2) == 0 }.map { "device-\($0)" })
        return Sight(
            key: ["person:ada", "person:bea"][roll(2)], seesEverybody: roll(2) == 0, seesGuests: roll(2) == 0, seesEvents: roll(2) == 0,
            seesEnergy: roll(2) == 0, devices: devices)
    }
}
