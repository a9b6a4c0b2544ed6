import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import Testing

@Suite("Verification of exported audit logs", .timeLimit(.minutes(30)))
struct AuditBundleTests {
    typealias Verifier = AuditBundleVerifier

    private static func entry(_ lines: [Data], _ seq: Int) throws -> (index: Int, entry: AuditBundle.Entry) {
        for (index, line) in lines.enumerated() {
            if let entry = entry(line), entry.seq == Int64(seq) {
                return (index, entry)
            }
        }
        throw MerkleTree.UnknownHashError(index: Int64(seq))
    }

    private static func fault(_ result: Result<Verifier.Verification, Verifier.VerificationError>) -> Verifier.VerificationError? {
        if case .failure(let problem) = result { problem } else { nil }
    }

    @Test("A complete log verifies, from its beginning or from the first remaining segment")
    func whole() throws {
        let trail = SampleAuditLog(700)
        let key = trail.key.publicKey.rawRepresentation
        for dropped in 0...2 {
            let lines = try trail.bundle(signed: [3, 300, 600], dropped: dropped)
            let proven = try Verifier.verification(lines, expecting: key, witnesses: [trail.note(512), trail.note(613)]).get()
            #expect(proven.entries == Int64(700 - dropped * 256) && proven.size == 700 && !proven.isSelection)
            #expect(
                proven.origin == "cardea/house_1" && proven.verifier == AuditCheckpoint.verifier(trail.key.publicKey, of: proven.origin))
            #expect(proven.exportedAt.timeIntervalSince1970 == 1_795_442_500)
            #expect(proven.message == nil)
        }
        #expect(AuditCheckpoint.key(AuditCheckpoint.verifier(trail.key.publicKey, of: "cardea/house_1")) == key)
        #expect(AuditCheckpoint.key(key.base64EncodedString()) == key)
        for text in ["", "cardea/house_1+00000000+\((Data([1]) + key).base64EncodedString())", "nonsense", "AAAA", "a+12345678+AAAA"] {
            #expect(AuditCheckpoint.key(text) == nil, "\(text)")
        }
    }

    @Test("A selection proves the log's own entries and refuses others")
    func selection() throws {
        let trail = SampleAuditLog(600)
        let lines = try trail.bundle(only: [2, 300, 600])
        let proven = try Verifier.verification(lines, witnesses: [trail.note(600)]).get()
        #expect(proven.entries == 3 && proven.size == 600 && proven.isSelection)

        var (index, entry) = try Self.entry(lines, 300)
        entry.line = entry.line.replacing("opened", with: "closed")
        var altered = lines
        altered[index] = try AuditBundle.line(entry)
        #expect(Self.fault(Verifier.verification(altered)) == .entry(.init(seq: 300, fault: .disproved)))
        altered = lines
        altered.swapAt(index, index - 1)
        #expect(Self.fault(Verifier.verification(altered)) == .entry(.init(seq: 2, fault: .misplaced)))
        // A missing line is noticed by the end, without its position.
        altered = lines
        altered.remove(at: index)
        #expect(Self.fault(Verifier.verification(altered)) == .unsigned)
        altered = lines
        altered.remove(at: 1)
        #expect(Self.fault(Verifier.verification(altered)) == .line(2))
        #expect(Self.fault(Verifier.verification(Array(lines.dropLast()))) == .unsigned)
        (index, entry) = try Self.entry(lines, 300)
        entry.path = nil
        altered = lines
        altered[index] = try AuditBundle.line(entry)
        #expect(Self.fault(Verifier.verification(altered)) == .line(index + 1))
        let other = SampleAuditLog(600, key: trail.key, word: "closed")
        #expect(
            Self.fault(Verifier.verification(lines, witnesses: [try other.note(600)])) == .entry(.init(seq: 600, fault: .disproved)))
    }

    @Test("A single entry is proven by its path and the signed checkpoint")
    func single() throws {
        let trail = SampleAuditLog(300)
        let (key, note) = (trail.key.publicKey.rawRepresentation, try trail.note(300))
        let entry = try trail.entry(17, Data(), path: true)
        func proves(
            line: String? = nil, told: String? = nil, seq: Int64 = 17, path: [Data]? = nil, key other: Data? = nil, note text: String? = nil
        )
            -> Bool
        {
            Verifier.isIncluded(
                line: line ?? entry.line, told: told ?? entry.told, signature: entry.signature, at: seq, path: path ?? entry.path ?? [],
                note: text ?? note, key: other ?? key)
        }
        #expect(proves())
        #expect(!proves(line: trail.lines[17]))
        #expect(!proves(line: "nonsense"))
        #expect(!proves(told: entry.told + " "))
        #expect(!proves(seq: 18))
        #expect(!proves(path: []))
        #expect(!proves(key: Data(count: 3)))
        #expect(!proves(key: Curve25519.Signing.PrivateKey().publicKey.rawRepresentation))
        let shorter = try trail.note(299)
        #expect(!proves(note: shorter))
    }

    @Test("Input that is no bundle is refused")
    func nonsense() throws {
        let trail = SampleAuditLog(300)
        let lines = try trail.bundle(dropped: 1)
        let end = try #require(lines.last)
        func fault(_ lines: [Data]) -> Verifier.VerificationError? { Self.fault(Verifier.verification(lines)) }
        func line(_ text: String) -> Data { Data("\(text)\n".utf8) }
        #expect(fault([]) == .line(1))
        for text in ["", "{}", "[]", #"{"kind":"other"}"#, #"{"kind":"header"}"#, #"{"kind":"entry","seq":1}"#] {
            #expect(fault([line(text)]) == .line(1), "\(text)")
        }
        // Lines before the header.
        for one in lines.dropFirst() where fault([one]) != .line(1) { Issue.record("taken before the header") }
        #expect(fault([lines[0], lines[0]]) == .line(2))
        #expect(fault(lines + [end]) == .line(lines.count + 1))
        #expect(fault([Data(count: 300_000)]) == .line(1))
        let text = String(decoding: lines[0], as: UTF8.self)
        #expect(fault([Data(text.replacing("\"schema\":1", with: "\"schema\":2").utf8)]) == .schema(2))
        #expect(fault([Data(text.replacing("\"size\":300", with: "\"size\":0").utf8)]) == .line(1))
        #expect(fault([Data(text.replacing(trail.key.publicKey.rawRepresentation.base64EncodedString(), with: "AAAA").utf8)]) == .line(1))
        // The house's identity for others, and another house's name.
        let renamed = text.replacing("\"verifier\":\"cardea/house_1", with: "\"verifier\":\"cardea/house_2")
        #expect(renamed != text && fault([Data(renamed.utf8)]) == .line(1))
        // A segment after entries, and one out of order.
        #expect(fault([lines[0], lines[1], lines[2], lines[3], lines[1]]) == .line(5))
        let segment = String(decoding: lines[1], as: UTF8.self).replacing("\"number\":0", with: "\"number\":1")
        #expect(fault([lines[0], Data(segment.utf8)]) == .line(2))
        let other = Curve25519.Signing.PrivateKey()
        #expect(Self.fault(Verifier.verification(lines, expecting: other.publicKey.rawRepresentation)) == .otherKey)
        let stranger = SampleAuditLog(256, key: other)
        #expect(Self.fault(Verifier.verification(lines, witnesses: [try stranger.note(256)])) == .otherKey)
        #expect(Self.fault(Verifier.verification(lines, witnesses: ["nonsense"])) == .otherKey)
        #expect(Set([Verifier.VerificationError.line(1), .schema(2), .otherKey, .unsigned].map(\.description)).count == 4)
        #expect(Verifier.VerificationError.otherKey.seq == nil)
    }

    @Test("Checkpoints of dropped entries are reported as uncompared, and two different ones of one size prove a fork")
    func notes() throws {
        let trail = SampleAuditLog(600)
        let notes = [try SampleAuditLog(100, key: trail.key).note(100), try trail.note(256), try trail.note(600)]
        let proven = try Verifier.verification(try trail.bundle(dropped: 2), witnesses: notes).get()
        #expect(proven.uncomparedSizes == [100] && proven.message?.contains("kept at 100:") == true)
        let chosen = try Verifier.verification(try trail.bundle(only: [3, 400]), witnesses: notes).get()
        #expect(chosen.uncomparedSizes == [100, 256])
        let two = [try trail.note(300), try SampleAuditLog(300, key: trail.key, word: "x").note(300)]
        #expect(Self.fault(Verifier.verification(try trail.bundle(), witnesses: two)) == .entry(.init(seq: 300, fault: .disproved)))
    }

    @Test("A removed checkpoint is reported, and signed ones are compared with the witnesses' checkpoints")
    func signatures() throws {
        let trail = SampleAuditLog(600)
        let lines = try trail.bundle()
        func without(_ size: Int) -> [Data] {
            lines.filter { line in
                guard let note = try? JSONDecoder().decode(AuditBundle.Checkpoint.self, from: line), note.kind == "checkpoint" else {
                    return true
                }
                return !note.note.contains("\n\(size)\n")
            }
        }
        #expect(Self.fault(Verifier.verification(without(256))) == .entry(.init(seq: 256, fault: .unsigned)))
        #expect(Self.fault(Verifier.verification(without(600))) == .entry(.init(seq: 600, fault: .unsigned)))
        // The last one removed: the signature after it covers more than was received.
        var shorter = lines
        shorter.remove(at: lines.count - 3)
        let missed = Self.fault(Verifier.verification(shorter))
        #expect(missed == .entry(.init(seq: 600, fault: .missing)) && missed?.seq == 600)
        // The house itself, or the holder of its key, rewrote it: others' checkpoints reveal it, and how far it was right.
        var fork = SampleAuditLog(299, key: trail.key)
        fork.grow(to: 600, word: "closed")
        let forked = try fork.bundle()
        #expect(throws: Never.self) { try Verifier.verification(forked, witnesses: [try trail.note(299)]).get() }
        #expect(Self.fault(Verifier.verification(forked, witnesses: [try trail.note(300)])) == .entry(.init(seq: 300, fault: .disproved)))
        #expect(
            Self.fault(Verifier.verification(lines, witnesses: [try SampleAuditLog(601, key: trail.key).note(601)]))
                == .entry(.init(seq: 601, fault: .missing)))
        let dropped = try trail.bundle(dropped: 1)
        #expect(
            Self.fault(Verifier.verification(dropped, witnesses: [try SampleAuditLog(256, key: trail.key, word: "x").note(256)]))
                == .entry(.init(seq: 256, fault: .disproved)))
        // Signed for another log, and by a stranger.
        let note = try AuditBundle.line(AuditBundle.Checkpoint(note: try fork.note(600)))
        var altered = lines
        altered[lines.count - 2] = note
        #expect(Self.fault(Verifier.verification(altered)) == .entry(.init(seq: 600, fault: .disproved)))
        altered[lines.count - 2] = try AuditBundle.line(AuditBundle.Checkpoint(note: SampleAuditLog(600).note(600)))
        #expect(Self.fault(Verifier.verification(altered)) == .entry(.init(seq: 600, fault: .unsigned)))
        altered = lines
        altered.insert(lines[257], at: 260)
        #expect(Self.fault(Verifier.verification(altered)) == .line(261))
        // An entry beyond the signed ones.
        let longer = SampleAuditLog(601, key: trail.key)
        var chain = AuditChain()
        for line in longer.lines { chain.append(line) }
        altered = lines
        altered.insert(try AuditBundle.line(longer.entry(601, chain.hash)), at: lines.count - 1)
        #expect(Self.fault(Verifier.verification(altered)) == .entry(.init(seq: 601, fault: .misplaced)))
    }

    @Test("A file is read in chunks, and a truncated one is reported at any place")
    func file() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cardea-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            let trail = SampleAuditLog(300)
            let bytes = try trail.bundle().reduce(Data(), +)
            let file = folder.appending(path: "audit.jsonl")
            try bytes.write(to: file)
            var verifier = Verifier()
            #expect(try verifier.verify(file).entries == 300)
            for cut in [0, 1, bytes.count / 3, bytes.count / 2, bytes.count - 1] {
                try bytes.prefix(cut).write(to: file)
                var verifier = Verifier()
                #expect(throws: Verifier.VerificationError.self, "\(cut)") { try verifier.verify(file) }
            }
            try (bytes + Data("more".utf8)).write(to: file)
            var another = Verifier()
            #expect(throws: Verifier.VerificationError.self) { try another.verify(file) }
            try Data(count: 400_000).write(to: file)
            var long = Verifier()
            #expect(throws: Verifier.VerificationError.line(1)) { try long.verify(file) }
        }
    }

    /// The stride over the entries; `make chaos` tries every one.
    private static let stride = TestRepetitions.of(970, full: 97, variable: "CARDEA_TAMPER_STRIDE")

    // The verifier is a fold: up to an entry its state is always the same, so it continues from there.
    @Test("Every manipulation is found at any of 10 000 entries")
    func everywhere() throws {
        let trail = SampleAuditLog(10_000)
        let lines = try trail.bundle()
        let entries = lines.map { Self.entry($0) }
        let end = try #require(lines.last)
        var verifier = Verifier(expecting: trail.key.publicKey.rawRepresentation)
        var (tried, before) = (0, Data(count: 32))
        for (index, line) in lines.enumerated() {
            if let entry = entries[index] {
                let seq = Int(entry.seq)
                // Those around a segment's ends, and one in so many.
                if seq % Self.stride == 0 || [0, 1, 255].contains(seq % 256) || [2, 9_999, 10_000].contains(seq) {
                    tried += 1
                    try attempt(entry, line, after: before, verifier, next: lines[index + 1], end: end, trail)
                }
                before = entry.hash
            }
            try verifier.consume(Data(line.dropLast()))
        }
        #expect(try verifier.finish().entries == 10_000)
        #expect(tried >= 10_000 / Self.stride)
    }

    /// Tries every manipulation on one entry.
    private func attempt(
        _ entry: AuditBundle.Entry, _ line: Data, after before: Data, _ verifier: Verifier, next: Data, end: Data, _ trail: SampleAuditLog
    ) throws {
        let seq = entry.seq
        func expect(_ fault: AuditChain.Fault, _ lines: Data..., what: String) {
            var verifier = verifier
            let problem = Self.fault(verifier.verifyRemaining(lines))
            #expect(problem == .entry(.init(seq: seq, fault: fault)), "\(what) at \(seq)")
        }
        func changed(_ change: (inout AuditBundle.Entry) throws -> Void) throws -> Data {
            var entry = entry
            try change(&entry)
            return try AuditBundle.line(entry)
        }
        try expect(.altered, changed { $0.line = $0.line.replacing("opened", with: "closed") }, what: "altered")
        try expect(.altered, changed { $0.hash[0] ^= 1 }, what: "hash altered")
        try expect(.misquoted, changed { $0.told += " " }, what: "told otherwise")
        try expect(.misquoted, changed { $0.signature[5] ^= 1 }, what: "another's word")
        try expect(.missing, changed { $0.seq += 1 }, what: "numbered anew")
        expect(.missing, what: "cut off")
        expect(.missing, end, what: "cut off, and ended")
        // After the last one comes the signature.
        if Self.entry(next) != nil { expect(.missing, next, line, what: "taken out, or behind the next") }
        if seq % 256 != 0, seq != 10_000 { expect(.misplaced, line, line, what: "put in again") }
        // An entry from another place, and one from a foreign house, correctly chained.
        func spliced(_ text: String, _ sign: Curve25519.Signing.PrivateKey?) throws -> Data {
            var chain = AuditChain(seq: seq - 1, hash: before)
            chain.append(text)
            return try changed {
                ($0.line, $0.hash) = (text, chain.hash)
                guard let sign else { return }
                $0.signature = try sign.signature(for: AuditBundle.statement($0.told, of: text, at: seq, in: trail.origin))
            }
        }
        try expect(.misplaced, spliced(trail.lines[seq == 1 ? 5 : 0], trail.key), what: "an old one in its place")
        let other = trail.lines[Int(seq) - 1].replacing("opened", with: "closed")
        try expect(.misquoted, spliced(other, nil), what: "exchanged")
        try expect(.misquoted, spliced(other, .init()), what: "a stranger's")
        // Also by the holder of the house's key: no earlier signed root covers it.
        if seq % 256 == 0 || seq == 10_000 { try expect(.disproved, spliced(other, trail.key), next, what: "written anew") }
    }

    private static func entry(_ line: Data) -> AuditBundle.Entry? {
        guard line.starts(with: Data(#"{"hash""#.utf8)) else { return nil }
        return try? JSONDecoder().decode(AuditBundle.Entry.self, from: line)
    }
}
