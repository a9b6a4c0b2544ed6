import CardeaNFC
import Foundation

/// Random numbers that are the same in every run (SplitMix64), and damaged input made with them.
struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    /// `CARDEA_SEED` overrides the seed.
    init(seed: UInt64) {
        self.seed = ProcessInfo.processInfo.environment["CARDEA_SEED"].flatMap { UInt64($0) } ?? seed
        state = self.seed
    }

    /// The number of repetitions of a test: fewer in the gate, all with `CARDEA_FULL=1`. `variable` overrides both.
    static func iterations(_ gate: Int, full: Int, variable: String? = nil) -> Int {
        let environment = ProcessInfo.processInfo.environment
        return variable.flatMap { environment[$0] }.flatMap { Int($0) } ?? (environment["CARDEA_FULL"] == "1" ? full : gate)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func octets(_ counts: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: counts, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    mutating func message() -> NDEFMessage {
        while true {
            let records = (0..<Int.random(in: 1...3, using: &self)).compactMap { _ in record() }
            if let message = try? NDEFMessage(records) { return message }
        }
    }

    private mutating func record() -> NDEFRecord? {
        switch Int.random(in: 0..<5, using: &self) {
        case 0: return .link("https://house.example/t/\(next())")
        case 1: return .text("Front door", language: "en")
        case 2: return try? NDEFRecord(.empty)
        case 3: return try? NDEFRecord(.unknown, id: octets(0...3), payload: octets(250...260))
        default:
            let type = NDEFRecord.TypeName.allCases[Int.random(in: 1...4, using: &self)]
            return try? NDEFRecord(type, type: octets(1...4), id: octets(0...2), payload: octets(0...20))
        }
    }

    /// With up to four octets changed, removed or added.
    mutating func mutated(_ whole: [UInt8]) -> [UInt8] {
        var octets = whole
        for _ in 0..<Int.random(in: 1...4, using: &self) where !octets.isEmpty {
            let place = Int.random(in: octets.indices, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: octets[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: octets.remove(at: place)
            case 2: octets.insert(.random(in: .min ... .max, using: &self), at: place)
            default: octets.removeSubrange(place...)
            }
        }
        return octets
    }
}
