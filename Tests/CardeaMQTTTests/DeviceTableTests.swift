import Foundation
import Testing

@Suite("Device support compared with Home Assistant")
struct DeviceTableTests {
    @Test("Every device matches Home Assistant or has a documented reason")
    func table() throws {
        let cases = try DeviceTable.cases()
        #expect(cases.count >= 300)
        var found: [String: String] = [:]
        for row in cases {
            var play = DeviceTableRun(row)
            play.run()
            found.merge(play.differences) { first, _ in first }
        }
        let listed = Set(try DeviceTable.differences().filter { $0.only != "hub" }.map(\.name))
        for (name, words) in found.sorted(by: { $0.key < $1.key }) where !listed.contains(name) {
            Issue.record("\(name): \(words)")
        }
        for name in listed.subtracting(found.keys).sorted() { Issue.record("\(name) needs no reason any more") }
    }

    /// The long suite names a file with more random devices that were played to a real Home Assistant; without one, it is the gate's table.
    @Test("Random devices match Home Assistant")
    func diced() throws {
        let named = ProcessInfo.processInfo.environment["CARDEA_DEVICE_TABLE"].map { URL(filePath: $0) }
        let listed = Set(try DeviceTable.differences().map(\.name))
        for row in try DeviceTable.cases(at: named) {
            var play = DeviceTableRun(row)
            play.run()
            for (name, words) in play.differences where !listed.contains(name) && !play.afterReturns.contains(name) {
                Issue.record("\(name): \(words)")
            }
        }
    }

    @Test("The device document lists the reasons of all differences and no others")
    func reasons() throws {
        let section = try #require(try DeviceTable.document().components(separatedBy: "## Differences from Home Assistant").last)
        let rows = section.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        let told = rows.compactMap { row in
            row.components(separatedBy: " | ").last.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " |")) }
        }
        #expect(Set(told) == Set(try DeviceTable.differences().map(\.reason)))
    }
}
