import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// The house's own key, under which everything is sealed: opens it, rotates it, and opens it with the recovery key.
///
/// It is stored in the database, wrapped by a key that is stored elsewhere, and sealed to the recovery key. No other process may have the
/// house open.
public struct HouseKeys: Sendable {
    private let store: Store
    private let places: KeyLocations
    private let environment: HubEnvironment

    public init(store: Store, places: KeyLocations, environment: HubEnvironment = .real) {
        self.store = store
        self.places = places
        self.environment = environment
    }

    /// A house's key that is open.
    public struct UnlockedKey: Sendable {
        /// The key that seals every value of the house.
        public let sealing: SealingKey
        /// The key that encrypts the sealing key.
        public let encryption: KeyEncryptionKey
        public let protection: KeyProtection
        fileprivate let number: Int64

        public var location: KeyLocation { protection.location }
    }

    // MARK: Opening

    /// The house's key; a house that was never served is given one.
    ///
    /// - Parameters:
    ///   - asked: where the key must lie. Default: the credential where systemd hands one over, else where it was last, else the file.
    ///   - changing: true to complete an interrupted rotation and create a missing key; false to write nothing.
    /// - Throws: `HouseKeyError`, `KeyFileError`, or the error of the key's location.
    public func open(from asked: KeyLocation? = nil, changing: Bool = true) async throws -> UnlockedKey {
        let stored = try await store.read { try HouseKeyRecords.read($0) }
        let candidates = [asked ?? (places.hasCredential ? .credential : nil)] + (asked == nil ? [stored.last?.location, .file] : [])
        let (found, unread) = await find(in: candidates.compactMap { $0 }, known: stored.map(\.mark))
        guard let last = stored.last else {
            // A house without a known key may get one, but not while an unreadable key exists.
            if let unread { throw unread }
            return try await openFirst(found, asked, changing: changing)
        }
        // During an unfinished rotation two keys are known: then the newer one counts.
        let fitting = found.compactMap { one in stored.first { $0.mark == one.key.mark }.map { (row: $0, place: one.place, key: one.key) } }
        let newest = fitting.map(\.row.number).max()
        guard let best = fitting.first(where: { $0.row.number == newest }) else {
            throw unread ?? missingKeyError(found.first?.place, asked ?? last.location)
        }
        let sealing = try best.row.opened(by: best.key)
        guard try await Hub.opens(store, with: sealing) else { throw HouseKeyError.doesNotOpen(table: "signing_keys") }
        let sealedBy = best.place == best.row.location ? best.row.sealedBy : nil
        let opened = try makeUnlockedKey(sealing, best.key, at: best.place, sealedBy, number: best.row.number)
        store.sealColumns(with: PersonalKeys(sealing).seal)
        if changing { try await completeRotation(opened) }
        return opened
    }

    /// Returns the keys in these places. A place that cannot be read does not keep another from opening the house; its error matters only
    /// if no key opens it.
    private func find(
        in candidates: [KeyLocation], known marks: [Data]
    ) async -> (found: [(place: KeyLocation, key: KeyEncryptionKey)], unread: (any Error)?) {
        var found: [(place: KeyLocation, key: KeyEncryptionKey)] = []
        var unread: (any Error)?
        for (index, place) in candidates.enumerated() where !candidates[..<index].contains(place) {
            do {
                found += try await places.keys(in: place, known: marks).map { (place, $0) }
            } catch { unread = unread ?? error }
        }
        return (found, unread)
    }

    /// The key of a house that knows of none: a new one's, or one's that had a single key for everything.
    private func openFirst(
        _ found: [(place: KeyLocation, key: KeyEncryptionKey)], _ asked: KeyLocation?, changing: Bool
    ) async throws -> UnlockedKey {
        let isNew = try await store.read { try HouseKeyRecords.hasNothingSealed($0) }
        var place = found.first?.place ?? asked ?? .file
        let key: KeyEncryptionKey
        if isNew, found.isEmpty, changing, place != .credential {
            key = try .random()
            try await places.prepare(key, in: place)
            try places.commit(in: place)
        } else if isNew, let first = found.first {
            key = first.key
        } else {
            var own: (place: KeyLocation, key: KeyEncryptionKey)?
            for one in found where own == nil {
                if try await Hub.opens(store, with: one.key.asHouseKey) { own = one }
            }
            guard let own else { throw missingKeyError(found.first?.place, place) }
            (place, key) = own
        }
        let sealing = isNew ? SealingKey.random() : key.asHouseKey
        let opened = try makeUnlockedKey(sealing, key, at: place, nil, number: 1)
        store.sealColumns(with: PersonalKeys(sealing).seal)
        guard changing else { return opened }
        let now = environment.now()
        try await store.write { db in
            try HouseKeyRecords.insert(opened.number, opened.protection, key.mark, key.wrap(sealing), at: now, in: db)
            try HouseKeyRecords.wrapForRecovery(sealing, at: now, in: db)
        }
        return opened
    }

    /// Completes an interrupted key rotation: the key file, the record of the key and its wrapping for recovery.
    private func completeRotation(_ opened: UnlockedKey) async throws {
        if opened.location == .file { try places.commitFile(for: opened.encryption) }
        let now = environment.now()
        try await store.write { db in
            try HouseKeyRecords.keepOnly(opened.number, opened.protection, in: db)
            if try HouseKeyRecords.needsRecoveryWrapping(db) { try HouseKeyRecords.wrapForRecovery(opened.sealing, at: now, in: db) }
        }
    }

    private func makeUnlockedKey(
        _ sealing: SealingKey, _ key: KeyEncryptionKey, at place: KeyLocation, _ sealedBy: SystemdCredentialSeal?, number: Int64
    ) throws -> UnlockedKey {
        let protection = KeyProtection(location: place, sealedBy: sealedBy, isBesideData: place == .file || places.isBesideDatabase(key))
        return UnlockedKey(sealing: sealing, encryption: key, protection: protection, number: number)
    }

    private func missingKeyError(_ found: KeyLocation?, _ wanted: KeyLocation) -> HouseKeyError {
        found.map { .wrongKey($0, file: places.file.path) } ?? .missing(wanted, file: places.file.path)
    }

    /// In words what does not open with it; nil if everything does.
    public func problem(with opened: UnlockedKey) async throws -> String? {
        do {
            try await store.read { try SealedColumns.verify(with: opened.sealing, in: $0) }
            return nil
        } catch let problem as HouseKeyError { return problem.description }
    }

    /// In words why no hub would serve the house; nil if one would.
    public func servingProblem(with opened: UnlockedKey) async throws -> String? {
        try await store.read { try Self.servingProblem($0, by: opened.encryption, sealing: opened.sealing) }
    }

    /// The same for a copy of the house, with the key that belongs to it.
    static func servingProblem(_ db: Database, by key: KeyEncryptionKey, sealing: SealingKey) throws -> String? {
        do {
            let stored = try HouseKeyRecords.read(db)
            if stored.isEmpty {
                // An older house has one key for everything.
                guard try AccessTokens.canOpen(db, with: key.asHouseKey) else { throw HouseKeyError.doesNotOpen(table: "signing_keys") }
            } else {
                guard let row = stored.first(where: { $0.mark == key.mark }) else { throw HouseKeyError.doesNotOpen(table: "house_keys") }
                _ = try row.opened(by: key)
            }
            try SealedColumns.verify(SealedColumns.requiredToStart, with: sealing, in: db)
            try AuditVerification.requireKeys(db, sealing: sealing)
            return nil
        } catch let problem as HouseKeyError {
            return problem.description
        } catch is AuditKeyError {
            // The house's own key is here: what it cannot decrypt is damaged.
            return HouseKeyError.doesNotOpen(table: "audit_keys").description
        }
    }

    // MARK: Changing

    /// Gives the house another key, and another key that opens it. At every moment the stored key opens the whole house.
    ///
    /// From then on access tokens are signed and new audit entries are sealed by other keys: a person who has the old ones cannot read
    /// them, and signatures made with the old ones are not accepted.
    public func rotate(_ opened: UnlockedKey) async throws -> UnlockedKey {
        let (old, fresh, next) = (opened.sealing, opened.sealing.rotated(), try KeyEncryptionKey.random())
        let now = environment.now()
        try await places.prepare(next, in: opened.location)
        return try await replace(opened.location, by: next, of: fresh, action: "house_key.rotate", as: old, number: opened.number + 1) {
            db in
            try SealedColumns.reseal(from: old, to: fresh, in: db)
            try AccessTokens.retireAll(at: now, in: db)
            try AuditKeys.rotateAll(sealing: fresh, at: now, in: db)
            // The present key keeps opening the house until the next one is in place.
            try HouseKeyRecords.rewrap(opened.number, opened.encryption.wrap(fresh), in: db)
        } afterwards: {
            if opened.location == .secretService { try await places.remove(opened.encryption, from: opened.location) }
        }
    }

    /// A house that was opened again.
    public struct RecoveryResult: Sendable {
        public let opened: UnlockedKey
        /// The new name of a `hub.key` that did not open the house.
        public let setAside: String?
        /// An existing credential that does not open the house: systemd starts no hub with one that it cannot decrypt.
        public let strayCredential: String?
    }

    /// Opens a house whose key is lost with the recovery key, and writes a new key into the file. An existing file is kept.
    public func recover(with paper: RecoveryKey) async throws -> RecoveryResult {
        let (sealing, stored) = try await store.read { (try Self.sealing(by: paper, in: $0), try HouseKeyRecords.read($0)) }
        let (next, number) = (try KeyEncryptionKey.random(), stored.map(\.number).max() ?? 0)
        let setAside = try places.setAside(known: stored.map(\.mark))
        try await places.prepare(next, in: .file)
        let opened = try await replace(
            .file, by: next, of: sealing, action: "house_key.recover", as: sealing, number: number + 1, { _ in }, afterwards: {})
        return RecoveryResult(
            opened: opened, setAside: setAside, strayCredential: await places.hasStrayCredential() ? places.path(of: .credential) : nil)
    }

    /// Verifies that the key on paper opens the house in `folder`, however old that house is. It only reads; no other process may have the
    /// house open.
    ///
    /// - Throws: `HouseKeyError.noRecoveryKey`, `otherRecoveryKey`, or `doesNotOpen` if the key is right and the house is damaged.
    public static func requireMatch(_ paper: RecoveryKey, in folder: URL) async throws {
        _ = try await Store.inspect(atFile: folder.appending(path: "house.sqlite")) { try sealing(by: paper, in: $0) }
    }

    /// Returns the house's sealing key, unwrapped with the recovery key on paper.
    private static func sealing(by paper: RecoveryKey, in db: Database) throws -> SealingKey {
        guard let sealed = try HouseKeyRecords.recoveryWrapping(db) else { throw HouseKeyError.noRecoveryKey }
        guard sealed.mark == RecoveryKey.mark(of: paper.publicKey) else { throw HouseKeyError.otherRecoveryKey }
        let sealing = try paper.open(sealed.wrapped)
        guard try AccessTokens.canOpen(db, with: sealing) else { throw HouseKeyError.doesNotOpen(table: "signing_keys") }
        return sealing
    }

    /// Has the same key lie elsewhere.
    public func move(_ opened: UnlockedKey, to place: KeyLocation) async throws -> UnlockedKey {
        guard place != opened.location || opened.protection.isBesideData != (place == .file) else {
            throw HouseKeyError.alreadyThere(place)
        }
        let key = opened.encryption
        if place != opened.location {
            try await requireFree(place, for: key)
            try await places.prepare(key, in: place)
            try places.commit(in: place)
        }
        // A key counts only after it was read back.
        guard try await places.keys(in: place, known: [key.mark]).contains(where: { $0.mark == key.mark }) else {
            throw HouseKeyError.missing(place, file: places.file.path)
        }
        _ = try await AuditLogWriter(store: store, sealing: opened.sealing, at: environment.now())
        let sealedBy = place == opened.location ? opened.protection.sealedBy : place == .credential ? places.sealedBy : nil
        let moved = KeyProtection(location: place, sealedBy: sealedBy, isBesideData: place == .file)
        let now = environment.now()
        try await store.write { db in
            try HouseKeyRecords.keepOnly(opened.number, moved, in: db)
            try AuditLog.append(
                .init(who: .house, action: "house_key.move", result: .done, reason: place.auditReason), in: .house(db, at: now))
        }
        for left in KeyLocation.allCases where left != place && (left == opened.location || left == .file) {
            try await places.remove(key, from: left)
        }
        return UnlockedKey(sealing: opened.sealing, encryption: key, protection: moved, number: opened.number)
    }

    /// The key of another house must not be overwritten: it opens that house, or this one as it was before a restore.
    private func requireFree(_ place: KeyLocation, for key: KeyEncryptionKey) async throws {
        // In a keyring each key has its own name.
        guard let path = places.path(of: place) else { return }
        let known = try await store.read { Set(try HouseKeyRecords.read($0).map(\.mark)) }.union([key.mark])
        do {
            guard try await places.keys(in: place, known: [key.mark]).allSatisfy({ known.contains($0.mark) }) else {
                throw HouseKeyError.occupied(path)
            }
        } catch is HouseKeyError {
            throw HouseKeyError.occupied(path)
        } catch is KeyFileError {
            throw HouseKeyError.occupied(path)
        }
    }

    /// One commit switches the house to `fresh`, which both keys open; then `next` is put in place; then the old key is removed.
    private func replace(
        _ place: KeyLocation, by next: KeyEncryptionKey, of fresh: SealingKey, action: String, as old: SealingKey, number: Int64,
        _ change: @escaping @Sendable (Database) throws -> Void, afterwards: () async throws -> Void
    ) async throws -> UnlockedKey {
        _ = try await AuditLogWriter(store: store, sealing: old, at: environment.now())
        let sealedBy = place == .credential ? places.sealedBy : nil
        let protection = KeyProtection(location: place, sealedBy: sealedBy, isBesideData: place == .file)
        let now = environment.now()
        try await store.write { db in
            try change(db)
            try HouseKeyRecords.insert(number, protection, next.mark, next.wrap(fresh), at: now, in: db)
            try HouseKeyRecords.wrapForRecovery(fresh, at: now, in: db)
            try AuditLog.append(.init(who: .house, action: action, result: .done), in: .house(db, at: now))
        }
        store.sealColumns(with: PersonalKeys(fresh).seal)
        // New audit entries are sealed with the new key; the entry above was the last under the old one.
        _ = try await AuditLogWriter(store: store, sealing: fresh, at: now)
        try places.commit(in: place)
        // Only the next start shows whether systemd passes the new credential, and it then deletes the old key.
        if place != .credential { try await store.write { try HouseKeyRecords.keepOnly(number, protection, in: $0) } }
        try await afterwards()
        // The write-ahead log still contains pages sealed with the old key.
        try await store.checkpoint()
        return UnlockedKey(sealing: fresh, encryption: next, protection: protection, number: number)
    }
}
