import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// Packs everything kept about a person into one archive: what Seed 001 names, every row of theirs, their audit entries, and the pictures
/// of their reported events; with an index to read, and a signed list of its files. For a guest it is the pass and what belongs to it.
final class PersonalDataExporter: Sendable {
    private let store: Store
    private let sealing: SealingKey
    private let settings: ExportSettings
    private let activity: ActivityLog
    private let devices: Devices
    private let events: Events
    private let signer: AuditSigner
    private let personalDataProviders: PersonalDataProviders
    private let retention: Retention
    private let environment: HubEnvironment

    /// The version of the archive's format: it rises when the meaning of a part changes.
    static let schemaVersion = "1.0"
    /// Seconds for which it can be fetched.
    static let lifetime: TimeInterval = 86_400

    init(
        store: Store, sealing: SealingKey, settings: ExportSettings, activity: ActivityLog, devices: Devices, events: Events,
        signer: AuditSigner,
        memories: PersonalDataProviders, retention: Retention, environment: HubEnvironment
    ) throws {
        self.store = store
        self.sealing = sealing
        self.settings = settings
        self.activity = activity
        self.devices = devices
        self.events = events
        self.signer = signer
        self.personalDataProviders = memories
        self.retention = retention
        self.environment = environment
        if let folder = settings.folder { try PrivateFile(folder.appending(path: "any")).prepareFolder() }
    }

    var isAvailable: Bool { settings.folder != nil && settings.packer != nil }

    /// Tables with personal rows, each exported as a file of its own. A full-text index contains nothing that its table does not.
    static let holdings = DataInventory.policies.filter { holding in
        guard holding.condition != nil else { return false }
        if case .row(_, let column) = holding.ownership { return column != "rowid" }
        return true
    }

    /// The same of a guest, as the end of a pass takes them away.
    static let guestHoldings = DataInventory.policies.filter { $0.guestCondition != nil }

    // MARK: Making

    /// - Throws: `JobStoppedError` if the job is stopped meanwhile: then nothing of it is left.
    func make(_ job: Job) async throws {
        guard let folder = settings.folder, let packer = settings.packer else {
            throw JobFailedError(message: "This house stores no files.")
        }
        let now = environment.now()
        // Left by a crash of an earlier try: no key can open it.
        try remove([job.id])
        let (key, wrapped) = try sealing.newKey(storedAt: Self.sealingLabel(job.id))
        try await store.write { db in
            guard try JobRecords.isOpen(job.id, db) else { throw JobStoppedError() }
            try db.execute(sql: "UPDATE jobs SET file_key = ? WHERE id = ?", arguments: [wrapped, job.id])
        }
        let draft = try Self.file(job.id, in: folder).makeTemporaryFile()
        do {
            let file = ExportFile.Writer(to: draft, under: key, job: job.id)
            let packing = ExportArchive(try packer.pack(into: { try file.write($0) }), at: now)
            try await fill(packing, job, at: now)
            try packing.close(origin: signer.origin, signedBy: signer.key)
            let (bytes, end) = (try file.finish(), environment.now())
            let isDone = try await store.write { db in
                try JobRecords.finish(job.id, at: end, expiresAt: end.addingTimeInterval(Self.lifetime), bytes: bytes, in: db)
            }
            guard isDone else { throw JobStoppedError() }
        } catch {
            draft.discard()
            guard await isStopped(job, by: error) else { throw error }
            // It may already be in its final place.
            try remove([job.id])
            throw JobStoppedError()
        }
    }

    private func fill(_ packing: ExportArchive, _ job: Job, at now: Date) async throws {
        let (id, isGuest) = (job.personID, job.isOfGuest)
        let holdings = isGuest ? Self.guestHoldings : Self.holdings
        let total = holdings.count + 5
        func step(_ word: String, _ done: Int) async throws {
            try await requireNotStopped(job)
            try await store.write { try JobRecords.progress(job.id, step: word, done: done, total: total, in: $0) }
        }
        try await step("account", 0)
        if isGuest {
            try await addPass(of: id, into: packing, at: now)
        } else {
            try await addSummary(of: id, into: packing, at: now)
        }
        var lines: [ExportIndex.FileEntry] = []
        for (number, holding) in holdings.enumerated() {
            try await step(holding.purpose.rawValue, number + 1)
            let name = "holdings/\(holding.table).json"
            let count = try await store.read { db in
                guard let condition = isGuest ? holding.guestCondition : holding.condition else { return 0 }
                let rows = try Row.fetchCursor(
                    db, sql: "SELECT \(holding.selectList) FROM \(holding.table) WHERE \(condition)",
                    arguments: ["id": id])
                return try packing.list(name) { add in
                    while let row = try rows.next() { try add(ExportRow.object(row, holding.readableColumns)) }
                }
            }
            lines.append(.init(file: name, purpose: holding.purpose, retention: holding.retention, count: count))
        }
        try await step("mind", total - 4)
        let key = isGuest ? "guest:\(id)" : "person:\(id)"
        let learned = try await personalDataProviders.personalData(of: key)
        let count = try packing.list("mind.json") { add in for one in learned { try add(one) } }
        lines.append(.init(file: "mind.json", purpose: .mind, retention: .managedByOwner([.memories]), count: count))
        try await step("audit", total - 3)
        lines.append(
            .init(
                file: "audit.json", purpose: .audit, retention: .managedByOwner([.audit]),
                count: try await addAuditEntries(of: job, into: packing)))
        try await step("pictures", total - 2)
        let pictures = try await self.addPictures(of: job, into: packing)
        if pictures > 0 { lines.append(.init(file: "pictures/", purpose: .events, retention: .managedByOwner([.events]), count: pictures)) }
        try await step("index", total - 1)
        let (person, days) = try await store.read { [retention] db in
            (
                try Self.name(of: job, db) ?? "",
                try RetentionRecords.all(most: retention.maxDays, db)
            )
        }
        let known = Dictionary(days.map { ($0.kind, $0.days) }) { $1 }
        try packing.file(
            "index.html",
            Data(ExportIndex(name: person, isGuest: isGuest, at: now, entries: lines, days: { known[$0] ?? $0.defaultDays }).html.utf8))
    }

    /// Returns whether `error` only means that the job was stopped: stopping deletes the file that is being written, so writing it then
    /// fails.
    private func isStopped(_ job: Job, by error: any Error) async -> Bool {
        if error is JobStoppedError { return true }
        if error is CancellationError { return false }
        let isOpen = try? await store.read { try JobRecords.isOpen(job.id, $0) }
        return isOpen == false
    }

    private func requireNotStopped(_ job: Job) async throws {
        try Task.checkCancellation()
        guard try await store.read({ try JobRecords.isOpen(job.id, $0) }) else { throw JobStoppedError() }
    }

    private static func name(of job: Job, _ db: Database) throws -> String? {
        let table = job.isOfGuest ? "guests" : "people"
        return try String.fetchOne(
            db, sql: "SELECT opened(name, '\(table).name', id) FROM \(table) WHERE id = ?", arguments: [job.personID])
    }

    /// Adds the pass, the head of a guest's archive.
    private func addPass(of id: String, into packing: ExportArchive, at now: Date) async throws {
        let pass = try await store.read { db -> JSONValue? in
            guard let holding = DataInventory.policy("guests") else { return nil }
            return try Row.fetchOne(db, sql: "SELECT \(holding.selectList) FROM guests WHERE id = ?", arguments: [id])
                .map { ExportRow.object($0, holding.readableColumns) }
        }
        // The guest was erased before the job began.
        guard let pass else { throw JobFailedError(message: "The pass no longer exists.") }
        let head: JSONValue = .object([
            "schemaVersion": .string(Self.schemaVersion), "exportDate": .string(ExportRow.text(now)), "guest": pass,
        ])
        try packing.file("export.json", Data((try ExportRow.pretty(head) + "\n").utf8))
    }

    /// Adds the files that Seed 001 names (7.2), under its own names.
    private func addSummary(of id: String, into packing: ExportArchive, at now: Date) async throws {
        let meters = EnergyExport.meters(among: devices.all.devices)
        try await store.read { db in
            func row(_ table: String, _ column: String) throws -> JSONValue {
                guard let holding = DataInventory.policy(table) else { return .null }
                return try Row.fetchOne(
                    db, sql: "SELECT \(holding.selectList) FROM \(table) WHERE \(column) = ?", arguments: [id]
                ).map { ExportRow.object($0, holding.readableColumns) } ?? .null
            }
            try packing.begin("export.json")
            let head: [(String, JSONValue)] = [
                ("schemaVersion", .string(Self.schemaVersion)), ("exportDate", .string(ExportRow.text(now))),
                ("user", try row("people", "id")), ("preferences", try row("preferences", "person_id")),
            ]
            try packing.write(Data("{\n".utf8))
            for (name, value) in head { try packing.write(Data("\"\(name)\": \(try ExportRow.pretty(value)),\n".utf8)) }
            let rights = try PeopleRecords.one(id, db)?.rights ?? []
            try packing.write(Data("\"maintenanceHistory\": [".utf8))
            if rights.contains(.controlDevices) { try Self.addMaintenance(for: id, into: packing, db) }
            try packing.write(Data("],\n\"energyHistory\": [".utf8))
            if rights.contains(.viewEnergy) {
                try EnergyExport.write(meters, until: now, db) { try packing.write($0) }
            }
            try packing.write(Data("]\n}\n".utf8))
            packing.end()
        }
    }

    /// Adds the completed maintenance, the earliest first. Other people who did it are not named.
    private static func addMaintenance(for id: String, into packing: ExportArchive, _ db: Database) throws {
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT h.completed_at, opened(t.title, 'maintenance_tasks.title', t.id), t.category, nullif(h.completed_by = :id, 0), h.cost_minor,
                    h.currency, opened(h.notes, 'maintenance_history.notes', h.number),
                    opened(h.service_provider, 'maintenance_history.service_provider', h.number)
                FROM maintenance_history h JOIN maintenance_tasks t ON t.id = h.task_id ORDER BY h.completed_at, h.number
                """, arguments: ["id": id])
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        var separator = "\n"
        while let row = try rows.next() {
            let done: JSONValue = .object([
                "completedAt": .string(ExportRow.text(Date(milliseconds: row[0]))), "task": .string(row[1]), "category": .string(row[2]),
                "completedBy": text(row[3] as Bool? == true ? id : nil), "costMinor": (row[4] as Double?).map { .number($0) } ?? .null,
                "currency": text(row[5]),
                "notes": text(row[6]), "serviceProvider": text(row[7]),
            ])
            try packing.write(Data((separator + (try ExportRow.pretty(done))).utf8))
            separator = ",\n"
        }
    }

    private func addAuditEntries(of job: Job, into packing: ExportArchive) async throws -> Int {
        try await store.read { [activity] db in
            let guest = job.isOfGuest ? job.personID : nil
            let person = job.isOfGuest ? nil : job.personID
            var before: Int?
            return try packing.list("audit.json") { add in
                while true {
                    let filter = ActivityLog.Filter(guestID: guest, before: before, limit: 500, isWhole: true)
                    let page = try activity.entries(filter, onlyOf: person, in: db)
                    for entry in page { try add(Self.auditEntry(entry, of: job.personID)) }
                    guard page.count == 500, let last = page.last else { return }
                    before = last.id
                }
            }
        }
    }

    /// Encodes an entry of the audit log. The address of another person is left out: it is not the subject's data.
    private static func auditEntry(_ entry: ActivityLog.Entry, of id: String) -> JSONValue {
        let members: [String: String?] = [
            "at": ExportRow.text(entry.at), "who_kind": entry.whoKind, "who_id": entry.whoID, "action": entry.action,
            "device_id": entry.deviceID, "device": entry.deviceName, "entity_id": entry.entityID, "result": entry.result,
            "reason": entry.reason, "command_id": entry.commandID, "remote": entry.whoID == id ? entry.remote : nil,
        ]
        var line = members.compactMapValues { $0.map { JSONValue.string($0) } }
        line["seq"] = .number(Double(entry.id))
        return .object(line)
    }

    private func addPictures(of job: Job, into packing: ExportArchive) async throws -> Int {
        let ids = try await store.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM events WHERE picture_key IS NOT NULL AND (\(DataInventory.policy("events")?.condition ?? "0")) ORDER BY key
                    """, arguments: ["id": job.personID])
        }
        var count = 0
        for event in ids {
            try await requireNotStopped(job)
            guard let picture = try await events.picture(ofStored: event) else { continue }
            try packing.file("pictures/\(event).jpg", picture)
            count += 1
        }
        return count
    }

    // MARK: Storage

    /// Returns a reader for the job's archive; nil if the file is gone.
    func reader(of job: Job) async throws -> ExportFile.Reader? {
        guard let folder = settings.folder, let bytes = job.bytes else { return nil }
        let wrapped = try await store.read {
            try Data.fetchOne($0, sql: "SELECT file_key FROM jobs WHERE id = ?", arguments: [job.id])
        }
        let url = Self.file(job.id, in: folder).url
        guard let wrapped, FileManager.default.fileExists(atPath: url.path) else { return nil }
        return ExportFile.Reader(bytes: bytes, url: url, key: try sealing.unwrap(wrapped, from: Self.sealingLabel(job.id)), job: job.id)
    }

    /// Deletes all exports of an erased person, and prevents new ones.
    func removeAll(of personID: String) async throws {
        let now = environment.now()
        let ids = try await store.write { db in
            if let open = try JobRecords.open(.export, of: personID, db) {
                try JobRecords.fail(open.id, because: "The person has been erased.", at: now, in: db)
            }
            return try String.fetchAll(
                db, sql: "UPDATE jobs SET file_key = NULL, expires_at = asked_at WHERE kind = 'export' AND person_id = ? RETURNING id",
                arguments: [personID])
        }
        try remove(Set(ids))
    }

    /// Deletes the archives that are expired, and files that belong to no job.
    func sweep(at now: Date) async throws {
        guard let folder = settings.folder else { return }
        // Listed before the rows are read: files begun meanwhile are not among them.
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let retained = try await store.write { db in
            try db.execute(
                sql: "UPDATE jobs SET file_key = NULL WHERE kind = 'export' AND expires_at <= ? AND file_key IS NOT NULL",
                arguments: [now.milliseconds])
            return Set(try String.fetchAll(db, sql: "SELECT id FROM jobs WHERE kind = 'export' AND file_key IS NOT NULL"))
        }
        for file in files where !retained.contains(Self.job(of: file)) { unlink(file.path) }
    }

    /// Deletes the archives of these jobs, finished or not.
    func remove(_ ids: Set<String>) throws {
        guard let folder = settings.folder, FileManager.default.fileExists(atPath: folder.path) else { return }
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where ids.contains(Self.job(of: file)) {
            unlink(file.path)
        }
    }

    /// The name of a draft begins with its job's name.
    private static func job(of file: URL) -> String { String(file.lastPathComponent.prefix { $0 != "." }) }

    private static func file(_ job: String, in folder: URL) -> PrivateFile { PrivateFile(folder.appending(path: "\(job).export")) }
    private static func sealingLabel(_ job: String) -> String { "jobs/\(job)/file_key" }
}
