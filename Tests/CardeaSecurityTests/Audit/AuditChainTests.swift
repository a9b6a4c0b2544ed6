import CardeaSecurity
import Crypto
import Foundation
import Testing

@Suite("Hash chain of the audit log")
struct AuditChainTests {
    private func chain(_ entries: [String]) -> [AuditChain.Link] {
        var chain = AuditChain()
        return entries.map { entry in
            chain.append(entry)
            return AuditChain.Link(seq: chain.seq, entry: entry, hash: chain.hash)
        }
    }

    private func fault(_ links: [AuditChain.Link], after start: AuditChain = AuditChain()) -> AuditChain.ChainError? {
        do throws(AuditChain.ChainError) {
            _ = try AuditChain.verify(links, after: start)
            return nil
        } catch { return error }
    }

    @Test("Each hash is SHA-256 over a zero octet, the chain's name, the previous hash and the entry")
    func formula() {
        let links = chain([#"{"seq":1}"#, #"{"seq":2}"#])
        let first = Data(SHA256.hash(data: Data([0]) + Data("hub-audit-v1".utf8) + Data(count: 32) + Data(#"{"seq":1}"#.utf8)))
        let second = Data(SHA256.hash(data: Data([0]) + Data("hub-audit-v1".utf8) + first + Data(#"{"seq":2}"#.utf8)))
        #expect(links.map(\.hash) == [first, second])
    }

    @Test("An unchanged chain verifies from its beginning and from any later entry")
    func whole() {
        let links = chain((1...20).map { "entry \($0)" })
        #expect(fault(links) == nil && fault([]) == nil)
        for start in 1...19 {
            let known = AuditChain(seq: Int64(start), hash: links[start - 1].hash)
            #expect(fault(Array(links.dropFirst(start)), after: known) == nil)
            #expect(fault(Array(links.dropFirst(start - 1)), after: known) == .init(seq: Int64(start), fault: .misplaced))
        }
        // Truncation at the end does not show here: that needs an earlier signed root.
        #expect(fault(links.dropLast(3)) == nil)
    }

    @Test("The first wrong entry is named for every kind of break at any place")
    func broken() {
        let links = chain((1...50).map { "entry \($0)" })
        for place in 1...49 {
            let (index, seq) = (place - 1, Int64(place))
            var changed = links
            changed[index].entry += " "
            #expect(fault(changed) == .init(seq: seq, fault: .altered))
            changed = links
            changed[index].hash[31] ^= 1
            #expect(fault(changed) == .init(seq: seq, fault: .altered))
            changed = links
            changed.remove(at: index)
            #expect(fault(changed) == .init(seq: seq, fault: .missing))
            changed = links
            changed.insert(links[index], at: index + 1)
            #expect(fault(changed) == .init(seq: seq, fault: .misplaced))
            changed = links
            changed.swapAt(index, index + 1)
            #expect(fault(changed) == .init(seq: seq, fault: .missing))
            changed = links
            (changed[index].entry, changed[index + 1].entry) = (links[index + 1].entry, links[index].entry)
            #expect(fault(changed) == .init(seq: seq, fault: .altered))
            changed = Array(links[..<index]) + links[(index + 1)...].map { .init(seq: $0.seq - 1, entry: $0.entry, hash: $0.hash) }
            #expect(fault(changed) == .init(seq: seq, fault: .altered))
        }
    }

    @Test("Each fault has its own message")
    func words() {
        #expect(Set(AuditChain.Fault.allCases.map(\.message)).count == AuditChain.Fault.allCases.count)
        #expect("\(AuditChain.ChainError(seq: 17, fault: .missing))" == "Entry 17 of the audit log is missing.")
    }

    @Test("A wrapped key opens its sealed content, and only from its own place")
    func wrapped() throws {
        let house = SealingKey.random()
        let (key, wrapped) = try house.newKey(storedAt: "audit_keys/1/wrapped")
        let sealed = try key.seal(Data("who".utf8), for: "audit/1/actor/1")
        #expect(try house.unwrap(wrapped, from: "audit_keys/1/wrapped").open(sealed, for: "audit/1/actor/1") == Data("who".utf8))
        #expect(throws: (any Error).self) { try house.unwrap(wrapped, from: "audit_keys/2/wrapped") }
        #expect(throws: (any Error).self) { try SealingKey.random().unwrap(wrapped, from: "audit_keys/1/wrapped") }
    }
}
