import CardeaSecurity
import Foundation
import Testing

@Suite("Recovery key on paper")
struct RecoveryKeyTests {
    @Test("A typed key equals the printed one in any notation")
    func typed() throws {
        for _ in 0..<50 {
            let key = RecoveryKey()
            let shown = key.formatted.reveal()

            #expect(shown.count == 13 * 6 - 1)
            for text in [
                shown, shown.lowercased(), shown.replacingOccurrences(of: "-", with: " \n"),
                shown.replacingOccurrences(of: "O", with: "0").replacingOccurrences(of: "I", with: "1").replacingOccurrences(
                    of: "B", with: "8"),
                "\u{FEFF}" + shown.replacingOccurrences(of: "-", with: "\u{2011}\u{200B}"),
                String(String.UnicodeScalarView(shown.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xFEE0) })),
            ] {
                let typed = try RecoveryKey(typed: Secret(text))
                #expect(typed.publicKey == key.publicKey && typed.backupAuthentication == key.backupAuthentication)
            }
        }
    }

    @Test("A wrong character is found at any place, and its group is named")
    func mistyped() throws {
        let shown = Array(RecoveryKey().formatted.reveal().filter { $0 != "-" })
        for place in shown.indices {
            for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" where other != shown[place] {
                var typed = shown
                typed[place] = other
                let mistake = #expect(throws: RecoveryKey.KeyError.self) { try RecoveryKey(typed: Secret(String(typed))) }
                guard case .group(let number, _)? = mistake else {
                    Issue.record("\(place): \(String(describing: mistake))")
                    continue
                }
                #expect(number == place / 5 + 1)
            }
        }
    }

    @Test("Reordered groups, missing groups and invalid characters are refused")
    func others() throws {
        let groups = RecoveryKey().formatted.reveal().split(separator: "-").map(String.init)
        for place in 0..<12 where groups[place] != groups[place + 1] {
            var swapped = groups
            swapped.swapAt(place, place + 1)
            #expect(throws: RecoveryKey.KeyError.self) { try RecoveryKey(typed: Secret(swapped.joined(separator: "-"))) }
        }
        #expect(throws: RecoveryKey.KeyError.length(60)) { try RecoveryKey(typed: Secret(groups.dropLast().joined())) }
        #expect(throws: RecoveryKey.KeyError.character("!")) { try RecoveryKey(typed: Secret(groups.joined() + "!")) }
    }

    // Four bits of the key's hash decide: one mixture in sixteen passes for a valid key.
    @Test("A key mixed from two is almost always refused, and the error mentions mixed groups")
    func mixed() {
        var told = 0
        for _ in 0..<8 {
            let (one, other) = (RecoveryKey().formatted.reveal(), RecoveryKey().formatted.reveal())
            let others = other.split(separator: "-").map(String.init)
            for place in others.indices {
                var groups = one.split(separator: "-").map(String.init)
                groups[place] = others[place]
                do throws(RecoveryKey.KeyError) {
                    _ = try RecoveryKey(typed: Secret(groups.joined(separator: "-")))
                } catch {
                    #expect(error == .whole)
                    told += 1
                }
            }
        }
        #expect(told > 8 * 13 / 2)
        #expect(RecoveryKey.KeyError.whole.description.contains("groups of two keys may have been mixed"))
    }

    @Test("A recovery key is not printed by accident")
    func unseen() {
        #expect("\(RecoveryKey().formatted)" == "[secret]")
        #expect("\(RecoveryKey().backupAuthentication)" == "[key]")
    }
}
