import CardeaSecurity
import Foundation
import Testing

@Suite("A key on paper")
struct RecoveryKeyTests {
    @Test("It is the same when it was typed from the paper, however it was typed")
    func typed() throws {
        for _ in 0..<50 {
            let key = RecoveryKey()
            let shown = key.shown.reveal()

            #expect(shown.count == 13 * 6 - 1)
            for text in [
                shown, shown.lowercased(), shown.replacingOccurrences(of: "-", with: " \n"),
                shown.replacingOccurrences(of: "O", with: "0").replacingOccurrences(of: "I", with: "1").replacingOccurrences(
                    of: "B", with: "8"),
            ] {
                #expect(try RecoveryKey(typed: Secret(text)).publicKey == key.publicKey)
            }
        }
    }

    @Test("A wrong character is found wherever it is, and its group is named")
    func mistyped() throws {
        let shown = Array(RecoveryKey().shown.reveal().filter { $0 != "-" })
        for place in shown.indices {
            for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" where other != shown[place] {
                var typed = shown
                typed[place] = other
                let mistake = #expect(throws: RecoveryKey.Mistake.self) { try RecoveryKey(typed: Secret(String(typed))) }
                guard case .group(let number, _)? = mistake else {
                    Issue.record("\(place): \(String(describing: mistake))")
                    continue
                }
                #expect(number == place / 5 + 1)
            }
        }
    }

    @Test("Groups in another order, too few of them, and what is no letter of it are told apart")
    func others() throws {
        let groups = RecoveryKey().shown.reveal().split(separator: "-").map(String.init)
        for place in 0..<12 where groups[place] != groups[place + 1] {
            var swapped = groups
            swapped.swapAt(place, place + 1)
            #expect(throws: RecoveryKey.Mistake.self) { try RecoveryKey(typed: Secret(swapped.joined(separator: "-"))) }
        }
        #expect(throws: RecoveryKey.Mistake.length(60)) { try RecoveryKey(typed: Secret(groups.dropLast().joined())) }
        #expect(throws: RecoveryKey.Mistake.character("!")) { try RecoveryKey(typed: Secret(groups.joined() + "!")) }
    }

    @Test("It is not seen by accident")
    func unseen() {
        #expect("\(RecoveryKey().shown)" == "[secret]")
    }
}
