import CardeaSecurity
import Crypto
import Foundation
import Testing

@Suite("Audit witness on a device")
struct AuditWitnessTests {
    private let trail = SampleAuditLog(700)

    private func alarm(_ witness: AuditWitness, _ shown: AuditWitness.PresentedCheckpoint, from size: Int64? = nil) -> AuditWitness.Alarm? {
        var witness = witness
        do throws(AuditWitness.Alarm) {
            try witness.update(shown, from: size ?? witness.newest.size)
            return nil
        } catch { return error }
    }

    @Test("An append-only log is accepted after any gap, and its state is stored")
    func grows() throws {
        var witness = try AuditWitness(trail.shown(3))
        #expect(witness.whole == nil && witness.newest.size == 3)
        var before = 3
        for size in [3, 4, 255, 256, 300, 512, 700] {
            try witness.update(trail.shown(size, from: before), from: Int64(before))
            before = size
            #expect(witness.newest.size == Int64(size) && witness.whole?.size == (size < 256 ? nil : Int64(size / 256 * 256)))
        }
        // Stored and read again.
        let kept = try JSONDecoder().decode(AuditWitness.self, from: JSONEncoder().encode(witness))
        #expect(kept == witness && kept.newest.size == 700)
    }

    @Test("If the last seen entries were dropped, the last whole segment is compared")
    func dropped() throws {
        let witness = try AuditWitness(trail.shown(300))
        #expect(alarm(witness, try trail.shown(700, from: 256), from: 256) == nil)
        #expect(alarm(witness, try trail.shown(700, from: 255), from: 255) == .forked)
    }

    @Test("A restored log, a rewritten log and another signing key raise an alarm")
    func alarms() throws {
        let witness = try AuditWitness(trail.shown(300))
        #expect(alarm(witness, try trail.shown(299)) == .truncated)
        #expect(alarm(witness, try trail.shown(256), from: 256) == .truncated)
        // Rolled back to 299, and extended differently since.
        var fork = SampleAuditLog(299, key: trail.key)
        fork.grow(to: 700, word: "closed")
        #expect(alarm(witness, try fork.shown(700, from: 300)) == .forked)
        #expect(alarm(witness, try fork.shown(300, from: 300)) == .forked)
        #expect(alarm(witness, try trail.shown(700)) == .forked)
        #expect(alarm(witness, try trail.shown(700, from: 299)) == .forked)
        #expect(alarm(witness, try SampleAuditLog(700).shown(700, from: 300)) == .otherKey)
        #expect(alarm(witness, try SampleAuditLog(700, key: trail.key, origin: "cardea/house_2").shown(700, from: 300)) == .unsigned)
        let good = try trail.shown(700, from: 300)
        let unsigned = AuditWitness.PresentedCheckpoint(
            key: good.key, note: try SampleAuditLog(700).note(700), path: good.path, whole: good.whole)
        #expect(alarm(witness, unsigned) == .unsigned)
        #expect(Set(AuditWitness.Alarm.allCases.map(\.message)).count == AuditWitness.Alarm.allCases.count)
    }

    @Test("A segment checkpoint must be signed by the house and agree with its last checkpoint")
    func wholes() throws {
        let witness = try AuditWitness(trail.shown(300))
        let good = try trail.shown(700, from: 300)
        func shown(_ whole: (note: String, path: [Data])) -> AuditWitness.PresentedCheckpoint {
            AuditWitness.PresentedCheckpoint(key: good.key, note: good.note, path: good.path, whole: whole)
        }
        let path = try #require(good.whole?.path)
        #expect(alarm(witness, shown((try SampleAuditLog(512).note(512), path))) == .unsigned)
        #expect(alarm(witness, shown((try SampleAuditLog(512, key: trail.key, origin: "cardea/other").note(512), path))) == .unsigned)
        #expect(alarm(witness, shown((try SampleAuditLog(512, key: trail.key, word: "x").note(512), path))) == .forked)
        #expect(
            alarm(witness, shown((try trail.note(513), try MerkleTree.consistencyProof(of: 513, with: 700, known: trail.known)))) == .forked
        )
        #expect(alarm(witness, shown((try trail.note(512), []))) == .forked)
    }

    @Test("A first checkpoint is accepted only with the signature of its key")
    func first() throws {
        #expect(throws: AuditWitness.Alarm.unsigned) {
            try AuditWitness(.init(key: Data(count: 3), note: trail.note(300), path: nil, whole: nil))
        }
        let stranger = Curve25519.Signing.PrivateKey().publicKey.rawRepresentation
        #expect(throws: AuditWitness.Alarm.unsigned) {
            try AuditWitness(.init(key: stranger, note: trail.note(300), path: nil, whole: nil))
        }
    }
}
