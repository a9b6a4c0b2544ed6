import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Crypto
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Tampering with a log of 10 000 entries", .timeLimit(.minutes(60)))
struct AuditTamperingStressTests {
    typealias Fault = AuditChain.Fault

    /// The stride over the entries; `make chaos` tries every one.
    private static let stride = TestRepetitions.of(290, full: 29, variable: "CARDEA_TAMPER_STRIDE")

    // The verification is a fold: up to an entry its state is always the same, so it continues from there.
    @Test(
        "Altered, deleted, moved, cut, inserted, refiled and forked entries are reported at their position")
    func everywhere() async throws {
        let house = try await TestHouse.withAuditLog(9_990)
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        let (keys, signer) = (house.hub.activity.auditLogWriter.keys, house.hub.auditCheckpointer.signer.key.publicKey)
        let (start, lines, signed) = try await house.store.read { db in
            (
                try AuditVerifier(db, with: keys, signer: signer),
                try Row.fetchAll(db, sql: "SELECT \(AuditVerifier.columns) FROM audit a ORDER BY a.seq").map {
                    AuditVerifier.StoredEntry($0)
                },
                try Int64.fetchAll(db, sql: "SELECT size FROM audit_checkpoints ORDER BY size")
            )
        }
        #expect(lines.count >= 9_990)
        var (walk, tried) = (start, 0)
        for (index, line) in lines.enumerated() {
            if (index + 1) % Self.stride == 0 || [0, 1, 255].contains((index + 1) % 256) || index < 2 || index > lines.count - 3 {
                tried += 1
                try attempt(lines, at: index, walk)
                try branch(lines, at: index, walk, by: keys.house.key, signed: signed)
            }
            try walk.verify(line)
        }
        try walk.finish()
        #expect(tried >= lines.count / Self.stride)
    }

    private func fault(_ lines: [AuditVerifier.StoredEntry], after walk: AuditVerifier, ends: Bool = false) -> AuditChain.ChainError? {
        var walk = walk
        do throws(AuditChain.ChainError) {
            for line in lines { try walk.verify(line) }
            if ends { try walk.finish() }
            return nil
        } catch { return error }
    }

    private func attempt(_ lines: [AuditVerifier.StoredEntry], at index: Int, _ walk: AuditVerifier) throws {
        let (line, seq) = (lines[index], Int64(index + 1))
        func expect(_ wanted: Fault, _ what: String, ends: Bool = false, _ changed: [AuditVerifier.StoredEntry]) {
            #expect(fault(changed, after: walk, ends: ends) == AuditChain.ChainError(seq: seq, fault: wanted), "\(what) at \(seq)")
        }
        func changed(_ change: (inout AuditVerifier.StoredEntry) -> Void) -> [AuditVerifier.StoredEntry] {
            var copy = line
            change(&copy)
            return [copy]
        }
        func moved(_ other: AuditVerifier.StoredEntry, chained: Bool = true) -> [AuditVerifier.StoredEntry] {
            var copy = other
            let record = other.record
            copy.record = AuditRecord(
                version: record.version, seq: seq, at: record.at, event: record.event, actor: record.actor, subject: record.subject)
            guard chained else { return [copy] }
            // Like an intruder who knows the chain's construction.
            var chain = walk.chain
            chain.append(copy.record.canonical)
            copy.hash = chain.hash
            return [copy]
        }
        let record = line.record
        func part(_ part: AuditRecord.SealedPart) -> AuditRecord.SealedPart {
            var sealed = part.sealed
            sealed[sealed.startIndex + sealed.count / 2] ^= 4
            return AuditRecord.SealedPart(key: part.key, sealed: sealed)
        }
        expect(
            .forged, "what happened is altered",
            changed {
                $0.record = AuditRecord(
                    seq: record.seq, at: record.at, event: part(record.event), actor: record.actor, subject: record.subject)
            })
        expect(
            .forged, "who did it is altered",
            changed {
                $0.record = AuditRecord(
                    seq: record.seq, at: record.at, event: record.event, actor: part(record.actor), subject: record.subject)
            })
        expect(
            .forged, "the moment is altered",
            changed {
                $0.record = AuditRecord(
                    seq: record.seq, at: record.at + 1, event: record.event, actor: record.actor, subject: record.subject)
            })
        expect(.altered, "the hash is altered", changed { $0.hash[$0.hash.startIndex] ^= 1 })
        expect(.misfiled, "filed under another outcome", changed { $0.result ^= 1 })
        expect(.misfiled, "filed under another action", changed { $0.action = ($0.action ?? 0) ^ 1 })
        expect(.missing, "cut off", ends: true, [])
        if index + 1 < lines.count {
            expect(.missing, "taken out, or behind the next", [lines[index + 1], line])
            expect(.forged, "taken out, and the others closed up", moved(lines[index + 1]))
        }
        expect(.forged, "an old one in its place", moved(lines[index == 0 ? 5 : 0]))
        // Repeated: the second one is out of place.
        #expect(fault([line, line], after: walk) == AuditChain.ChainError(seq: seq, fault: .misplaced), "put in again at \(seq)")
    }

    /// Another log of the same house from here on, as the holder of its key could write, or as it grows after a restore: every entry
    /// decrypts, is chained correctly, and was never signed. Each entry is valid by itself; the first signature that does not match reveals
    /// it.
    private func branch(_ lines: [AuditVerifier.StoredEntry], at index: Int, _ walk: AuditVerifier, by key: SealingKey, signed: [Int64])
        throws
    {
        let (record, seq) = (lines[index].record, Int64(index + 1))
        let next = try #require(signed.first(where: { $0 >= seq }))
        let place = "audit/\(seq)/event/\(record.version)"
        // The same text, sealed again, has other bytes.
        let sealed = try key.seal(key.open(record.event.sealed, for: place), for: place)
        var (trail, chain) = (Array(lines[index..<Int(next)]), walk.chain)
        trail[0].record = AuditRecord(
            version: record.version, seq: seq, at: record.at, event: .init(key: record.event.key, sealed: sealed), actor: record.actor,
            subject: record.subject)
        for number in trail.indices {
            chain.append(trail[number].record.canonical)
            trail[number].hash = chain.hash
        }
        #expect(fault(trail, after: walk) == AuditChain.ChainError(seq: next, fault: .disproved), "forked at \(seq)")
        #expect(fault(Array(trail.dropLast()), after: walk) == nil, "nothing tells before it was signed, from \(seq)")
    }
}
