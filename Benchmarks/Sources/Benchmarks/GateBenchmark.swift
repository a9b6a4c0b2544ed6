import CardeaModel
import Foundation

/// Gate decisions per second, compared with a dictionary lookup.
enum GateBenchmark {
    static func run(_ report: inout Report) {
        print("The gate")
        let now = Date(timeIntervalSince1970: 1_795_269_600)
        let grant = Grant(
            id: "guest_1", scope: .list([.init(deviceID: "front-door", entityID: "lock.front_door", verbs: [.unlock, .lock])]),
            startsAt: now.addingTimeInterval(-60), expiresAt: now.addingTimeInterval(3600), useLimit: 10, useCount: 3)
        let request = Gate.Request(
            deviceID: "front-door", entityID: "lock.front_door", verb: .unlock, risk: .open, isSecurityDevice: false,
            isGuestAccessible: true, isLocal: true)
        let count = 500_000
        var allowed = 0
        let gate = ContinuousClock().measure {
            for _ in 0..<count where Gate.decide(request, by: grant, at: now, zone: .gmt) == .allow { allowed += 1 }
        }
        let names = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("guest_\($0)", $0) })
        let keys = (0..<1000).map { "guest_\($0)" }
        var sum = 0
        let lookups = ContinuousClock().measure {
            for index in 0..<count { sum += names[keys[index % 1000]] ?? 0 }
        }
        precondition(allowed == count && sum > 0)
        report.figure("decisions", rate(of: count, in: gate), "/s")
        report.figure("dictionary lookups", rate(of: count, in: lookups), "/s")
        report.ratio("gate_decisions_to_dictionary_lookups", rate(of: count, in: gate) / rate(of: count, in: lookups))
    }
}
