import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Crypto
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Audit export and its proofs", .timeLimit(.minutes(10)))
struct AuditExportTests {
    private func lines(_ house: TestHouse, _ filter: ActivityLog.Filter? = nil, by owner: Principal) async throws -> [Data] {
        let export = try await house.hub.auditProofs.export(filter, by: owner, origin: .house)
        var bytes = Data()
        try await export.write { bytes += $0 }
        return bytes.split(separator: 0x0A).map { Data($0) }
    }

    private func verified(_ lines: [Data], by house: TestHouse) throws(AuditBundleVerifier.VerificationError)
        -> AuditBundleVerifier.Verification
    {
        var verifier = AuditBundleVerifier(expecting: house.hub.auditCheckpointer.signer.key.publicKey.rawRepresentation)
        for line in lines { try verifier.consume(line) }
        return try verifier.finish()
    }

    private func entries(_ lines: [Data]) -> [AuditBundle.Entry] {
        lines.compactMap { try? JSONDecoder().decode(AuditBundle.Entry.self, from: $0) }.filter { $0.kind == "entry" }
    }

    @Test("A full export verifies up to its last entry, which records the export; a forged entry aborts it")
    func whole() async throws {
        let house = try await TestHouse.withAuditLog(600)
        let (owner, _) = try await house.claim()
        let lines = try await lines(house, by: owner)
        let proven = try verified(lines, by: house)
        let total = try await house.store.read { try AuditLogWriter.chainHead($0).seq }
        #expect(proven.entries == total && proven.size == total && !proven.isSelection)
        #expect(proven.origin == house.hub.auditCheckpointer.signer.origin)
        let last = try #require(entries(lines).last)
        #expect(last.told.contains(#""action":"data_export""#) && last.told.contains(#""reason":"audit""#))
        #expect(entries(lines).allSatisfy { !$0.line.contains("unlock") }, "what is chained is sealed")
        // An earlier receipt is still true.
        try await house.store.write {
            try $0.execute(sql: "DROP TRIGGER audit_is_append_only; UPDATE audit SET event = zeroblob(40) WHERE seq = 300")
        }
        await #expect(throws: AuditChain.ChainError(seq: 300, fault: .forged)) { try await self.lines(house, by: owner) }
    }

    @Test("Exports filtered by person, guest, device, outcome, action or time contain individually proven entries")
    func selection() async throws {
        let house = try await TestHouse.withAuditLog(1400)
        let (owner, _) = try await house.claim()
        let filters: [(ActivityLog.Filter, String)] = [
            (.init(personID: "person_0"), "person_0"), (.init(guestID: "guest_1"), "guest_1"),
            (.init(deviceID: "front-door"), "front-door"),
            (.init(result: "refused"), "refused"), (.init(action: "house.claim"), "house.claim"),
        ]
        for (filter, word) in filters {
            let lines = try await lines(house, filter, by: owner)
            let (proven, entries) = (try verified(lines, by: house), entries(lines))
            #expect(proven.isSelection && proven.entries == Int64(entries.count) && !entries.isEmpty, "\(word)")
            #expect(entries.allSatisfy { $0.told.contains(word) }, "\(word)")
        }
        let now = house.clock.now
        house.clock.advance(by: 60)
        let before = try verified(try await lines(house, .init(to: now), by: owner), by: house).entries
        let after = try verified(try await lines(house, .init(from: now.addingTimeInterval(1)), by: owner), by: house).entries
        #expect(before > 1400 && after >= 2)
        let none = try await lines(house, .init(deviceID: "no-such-door"), by: owner)
        #expect(try verified(none, by: house).entries == 0)
    }

    @Test("An export after retention includes roots of dropped segments, and the remaining entries still verify")
    func dropped() async throws {
        let house = try await TestHouse.withAuditLog(700)
        let (owner, _) = try await house.claim()
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        #expect(try await house.dropAllSegments() == 512)
        let lines = try await lines(house, by: owner)
        let proven = try verified(lines, by: house)
        #expect(proven.size - proven.entries == 512)
        let some = try await self.lines(house, .init(result: "refused"), by: owner)
        #expect(try verified(some, by: house).entries > 10)
    }

    @Test("An export aborts when entries are dropped or deleted while it is being written")
    func under() async throws {
        let changes: [(sql: String, problem: AuditProofs.ProofError)] = [
            (
                "UPDATE audit_segments SET dropped_at = 1 WHERE number = 0; UPDATE audit_segments SET dropped_at = 1 WHERE number = 1; DELETE FROM audit WHERE seq <= 512",
                .dropped
            ),
            ("DROP TRIGGER audit_is_kept; DELETE FROM audit WHERE seq = 257", .broken(.init(seq: 257, fault: .missing))),
        ]
        for (sql, problem) in changes {
            let house = try await TestHouse.withAuditLog(600)
            let (owner, _) = try await house.claim()
            let export = try await house.hub.auditProofs.export(by: owner, origin: .house)
            var parts = 0
            await #expect(throws: problem) {
                try await export.write { _ in
                    parts += 1
                    // The header, and the first segment.
                    if parts == 2 { try await house.store.write { try $0.execute(sql: sql) } }
                }
            }
            #expect(parts == 2)
        }
    }

    @Test("The CSV export neutralizes formula cells")
    func table() async throws {
        let house = try await TestHouse.withAuditLog(300)
        let (owner, _) = try await house.claim()
        let now = house.clock.now
        try await house.store.write { db in
            for cell in ["=1+1", "+x", "-x", "@x", "a,b", "say \"yes\"", "two\nlines"] {
                try AuditLog.append(.init(who: .house, action: "x", deviceID: cell, result: .done), in: .house(db, at: now))
            }
        }
        let export = try await house.hub.auditProofs.export(by: owner, origin: .house)
        var bytes = Data()
        try await export.writeTable { bytes += $0 }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("\u{FEFF}seq,at,who,who_id,who_name,action,"))
        for cell in [",'=1+1,", ",'+x,", ",'-x,", ",'@x,", ",\"a,b\",", ",\"say \"\"yes\"\"\",", ",\"two\nlines\","] {
            #expect(text.contains(cell), "\(cell)")
        }
        let total = try await house.store.read { try AuditLogWriter.chainHead($0).seq }
        #expect(text.components(separatedBy: "\r\n").count == Int(total) + 2)
        #expect(export.name.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
        let chosen = try await house.hub.auditProofs.export(.init(action: "house.claim"), by: owner, origin: .house)
        var few = Data()
        try await chosen.writeTable { few += $0 }
        #expect(String(decoding: few, as: UTF8.self).components(separatedBy: "\r\n").count == 3)
    }

    @Test("Audit export requires an owner or admin and a recent step-up, and every attempt is audited")
    func rights() async throws {
        let house = try await TestHouse.withAuditLog(10)
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let (admin, _) = try await house.resident("admin", role: "admin", by: owner)
        await #expect(throws: CardeaHub.People.PersonError.self) {
            try await house.hub.auditProofs.export(by: member, origin: .house)
        }
        _ = try await house.hub.auditProofs.export(by: admin, origin: .house)
        house.clock.advance(by: 301)
        await #expect(throws: CardeaHub.Sessions.SessionError.self) {
            try await house.hub.auditProofs.export(by: owner, origin: .house)
        }
        let tries = try await house.auditNotes().filter { $0.action == "data_export" }
        #expect(tries.map(\.result) == ["refused", "done", "refused"])
        #expect(tries.map(\.reason) == [.roleLacksRight, .audit, .stepUpRequired])
    }

    // MARK: Checkpoint and inclusion

    @Test("The audit checkpoint carries a consistency proof from an earlier signed size")
    func standing() async throws {
        let house = try await TestHouse.withAuditLog(700)
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        await #expect(throws: AuditProofs.ProofError.notSigned) { try await house.hub.auditProofs.checkpoint(seenBy: owner) }
        await #expect(throws: AuditProofs.ProofError.notSigned) { try await house.hub.auditProofs.inclusion(of: 1, seenBy: owner) }
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        await #expect(throws: CardeaHub.People.PersonError.self) {
            try await house.hub.auditProofs.checkpoint(seenBy: member)
        }
        let standing = try await house.hub.auditProofs.checkpoint(seenBy: owner)
        let total = standing.checkpoint.size
        #expect(standing.consistencyPath == nil && standing.lastFullSegment?.size == 512)
        let lines = try await house.store.read { db in
            try Row.fetchAll(db, sql: "SELECT \(AuditLogWriter.columns) FROM audit a ORDER BY a.seq").map {
                AuditLogWriter.record($0).canonical
            }
        }
        let leaves = lines.map { MerkleTree.leaf(Data($0.utf8)) }
        for size in [1, 2, 255, 256, 257, 511, 512, 513, 600, total] {
            let path = try #require(try await house.hub.auditProofs.checkpoint(from: size, seenBy: owner).consistencyPath)
            let before = try MerkleTree.root(of: 0..<size) { $0.count == 1 ? leaves[Int($0.lowerBound)] : nil }
            #expect(MerkleTree.verifyConsistency(standing.checkpoint.root, of: total, growsFrom: size, root: before, by: path), "\(size)")
        }
        #expect(try await house.hub.auditProofs.checkpoint(from: total + 1, seenBy: owner).consistencyPath == nil)

        try await house.dropAllSegments()
        await #expect(throws: AuditProofs.ProofError.dropped) { try await house.hub.auditProofs.checkpoint(from: 300, seenBy: owner) }
        for size in [256, 512, 600] {
            #expect(try await house.hub.auditProofs.checkpoint(from: Int64(size), seenBy: owner).consistencyPath != nil)
        }
        await #expect(throws: AuditProofs.ProofError.dropped) { try await house.hub.auditProofs.inclusion(of: 300, seenBy: owner) }
        await #expect(throws: AuditProofs.ProofError.notFound) { try await house.hub.auditProofs.inclusion(of: 300, seenBy: member) }
        try await house.store.write { try $0.execute(sql: "DROP TRIGGER audit_is_kept; DELETE FROM audit WHERE seq = 650") }
        await #expect(throws: AuditProofs.ProofError.broken(.init(seq: 650, fault: .missing))) {
            try await house.hub.auditProofs.checkpoint(from: 600, seenBy: owner)
        }
    }

    @Test("An inclusion proof is issued only for entries the caller may see, across many segments")
    func inclusion() async throws {
        let house = try await TestHouse.withAuditLog(1500)
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        let total = try await house.store.read { try AuditLogWriter.chainHead($0).seq }
        for seq in [1, 256, 257, 700, 1024, 1025, total] {
            let proof = try await house.hub.auditProofs.inclusion(of: seq, seenBy: owner)
            #expect(
                AuditBundleVerifier.isIncluded(
                    line: proof.sealedEntry, told: proof.statement, signature: proof.signature, at: seq, path: proof.path,
                    note: proof.signedCheckpoint.note,
                    key: proof.signedCheckpoint.key), "\(seq)")
            #expect(Int64(proof.entry.id) == seq)
        }
        // The entries themselves prove it when the roots of whole segments were deleted from the file.
        try await house.store.write { try $0.execute(sql: "DROP TRIGGER audit_segments_stay; DELETE FROM audit_segments") }
        for seq in [1, 700, 1025] as [Int64] {
            let proof = try await house.hub.auditProofs.inclusion(of: seq, seenBy: owner)
            #expect(
                AuditBundleVerifier.isIncluded(
                    line: proof.sealedEntry, told: proof.statement, signature: proof.signature, at: seq, path: proof.path,
                    note: proof.signedCheckpoint.note,
                    key: proof.signedCheckpoint.key), "\(seq)")
        }
        // An admin read the audit log by it, which is recorded once.
        #expect(try await house.auditNotes().suffix(2).map(\.action) == ["people.join", "activity.read"])
        await #expect(throws: AuditProofs.ProofError.notFound) { try await house.hub.auditProofs.inclusion(of: total + 2, seenBy: owner) }
        let own = try await house.hub.activity.entries(.init(isWhole: true), seenBy: member)
        let invited = try #require(own.last)
        #expect(try await house.hub.auditProofs.inclusion(of: Int64(invited.id), seenBy: member).entry.remote == invited.remote)
        await #expect(throws: AuditProofs.ProofError.notFound) { try await house.hub.auditProofs.inclusion(of: 1, seenBy: member) }
        // Newer entries are signed within a minute.
        _ = try await house.hub.people.invite(name: "Cleo", role: "member", by: owner, call: nil, origin: .house)
        await #expect(throws: AuditProofs.ProofError.notSigned) { try await house.hub.auditProofs.inclusion(of: total + 1, seenBy: owner) }
    }
}
