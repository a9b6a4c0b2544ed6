import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Reads and writes memories in the database.
enum MemoryRecords {
    static func one(_ id: String, _ db: Database) throws -> StoredMemory? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT \(columns) FROM memories WHERE id = ?"), arguments: [id]).map(memory)
    }

    /// All memories, oldest first.
    static func all(_ db: Database) throws -> [StoredMemory] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT \(columns) FROM memories ORDER BY number")).map(memory)
    }

    static func count(toldBy person: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) FROM memories WHERE person = ?"), arguments: [person]) ?? 0
    }

    /// The newest memories that may match. `MemorySearch` decides whether they do.
    ///
    /// - Parameter stems: word stems as made by `MemorySearch`, of which the memory has at least one; empty for any memory.
    static func candidates(_ search: MemorySearch, stems: [String], limit: Int, _ db: Database) throws -> [StoredMemory] {
        var conditions: [SQL] = ["1"]
        if !stems.isEmpty {
            let words = stems.map { $0.filter { $0.isLetter || $0.isNumber } }.joined(separator: " ")
            conditions.append("number IN (SELECT rowid FROM memory_words WHERE memory_words MATCH keyed_any(\(words)))")
        }
        if let types = search.types { conditions.append("memory_type IN \(types.map(\.rawValue))") }
        if let from = search.from { conditions.append("created_at >= \(from.milliseconds)") }
        if let to = search.to { conditions.append("created_at < \(to.milliseconds)") }
        let query: SQL = """
            SELECT \(sql: columns) FROM memories WHERE \(conditions.joined(separator: " AND ")) ORDER BY created_at DESC, number DESC
            LIMIT \(limit)
            """
        return try SQLRequest<Row>(literal: query).fetchAll(db).map(memory)
    }

    /// Writes a new or changed memory.
    @discardableResult
    static func write(_ memory: Memory, in db: Database) throws -> Int {
        try db.cachedStatement(
            sql: """
                INSERT INTO memories (id, created_at, last_accessed, memory_type, category, importance, title, content, details, source,
                    confidence, access_count, tags, related_devices, person, experience, is_pinned, version)
                VALUES (?1, ?, ?, ?, ?, ?, sealed(?, 'memories.title', ?1), sealed(?, 'memories.content', ?1), sealed(?, 'memories.details', ?1),
                    ?, ?, ?, sealed(?, 'memories.tags', ?1), ?, ?, sealed(?, 'memories.experience', ?1), ?, 1)
                ON CONFLICT (id) DO UPDATE SET last_accessed = excluded.last_accessed, memory_type = excluded.memory_type,
                    category = excluded.category, importance = excluded.importance, title = excluded.title, content = excluded.content,
                    details = excluded.details, confidence = excluded.confidence, access_count = excluded.access_count,
                    tags = excluded.tags, related_devices = excluded.related_devices, experience = excluded.experience,
                    is_pinned = excluded.is_pinned, created_at = excluded.created_at, version = version + 1
                """
        ).execute(arguments: [
            memory.id, memory.createdAt.milliseconds, memory.lastAccessed?.milliseconds, memory.type.rawValue, memory.category,
            memory.importance, memory.title, memory.content, try JSONText.encode(.object(memory.details)), memory.source.rawValue,
            memory.confidence, memory.accessCount, try text(memory.tags), try text(memory.relatedDevices), memory.person,
            try memory.experience.map { try text($0) }, memory.isPinned,
        ])
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT number, version FROM memories WHERE id = ?"), arguments: [memory.id])
        guard let row else { return 1 }
        try index(memory, as: row[0], in: db)
        return row[1]
    }

    private static func index(_ memory: Memory, as number: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO memory_words (rowid, words) VALUES (?, keyed(?))")
            .execute(arguments: [number, words(of: memory)])
    }

    /// Indexes all memories by keyed hashes of their words, in a house whose older hub stored the words themselves. Entries made since then
    /// stay.
    static func indexAll(in db: Database) throws {
        let numbers = try Row.fetchAll(db, sql: "SELECT number, id FROM memories WHERE number NOT IN (SELECT rowid FROM memory_words)")
        for row in numbers {
            if let stored = try one(row[1], db) { try index(stored.memory, as: row[0], in: db) }
        }
    }

    @discardableResult
    static func remove(_ id: String, in db: Database) throws -> Bool {
        let number = try Int64.fetchOne(db.cachedStatement(sql: "SELECT number FROM memories WHERE id = ?"), arguments: [id])
        guard let number else { return false }
        try db.cachedStatement(sql: "DELETE FROM memory_words WHERE rowid = ?").execute(arguments: [number])
        try db.cachedStatement(sql: "DELETE FROM memories WHERE number = ?").execute(arguments: [number])
        return true
    }

    /// Ids of memories told by a person who is not among `people`.
    static func ids(byNoneOf people: Set<String>, _ db: Database) throws -> [String] {
        try SQLRequest<String>(literal: "SELECT id FROM memories WHERE person IS NOT NULL AND person NOT IN \(people)").fetchAll(db)
    }

    /// Records that the memories were of use.
    static func recordAccess(_ uses: [String: (count: Int, last: Date)], in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                UPDATE memories SET access_count = min(access_count + ?, 1000000000), last_accessed = max(coalesce(last_accessed, 0), ?)
                WHERE id = ?
                """)
        for (id, use) in uses.sorted(by: { $0.key < $1.key }) {
            try statement.execute(arguments: [use.count, use.last.milliseconds, id])
        }
    }

    private static func words(of memory: Memory) -> String {
        // Stemmed as in the search, so that accents and endings do not prevent a match; and in every temperature unit, as different
        // readers see it.
        let others = memory.containsTemperatures ? TemperatureUnit.allCases.map { memory.rendered(in: $0).content } : []
        let text = [memory.title, memory.content, memory.category] + memory.tags + memory.relatedDevices + others
        return MemorySearch.stems(text.joined(separator: " ")).joined(separator: " ")
    }

    private static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// The columns in the order in which `memory` reads them.
    private static let columns = """
        id, created_at, last_accessed, memory_type, category, importance, opened(title, 'memories.title', id),
        opened(content, 'memories.content', id), opened(details, 'memories.details', id), source, confidence, access_count,
        opened(tags, 'memories.tags', id), related_devices, person, opened(experience, 'memories.experience', id), is_pinned, version
        """

    private static func memory(_ row: Row) throws -> StoredMemory {
        // A value that cannot be decrypted reads as the empty text.
        func list(_ text: String) throws -> [String] { try text.isEmpty ? [] : JSONDecoder().decode([String].self, from: Data(text.utf8)) }
        // The checks of the table allow only these values.
        guard let type = Memory.Kind(rawValue: row[3]), let source = Memory.Source(rawValue: row[9]) else { throw MemoryError.notFound }
        let memory = Memory(
            id: row[0], createdAt: Date(milliseconds: row[1]), lastAccessed: (row[2] as Int64?).map(Date.init(milliseconds:)), type: type,
            category: row[4], importance: row[5], title: row[6], content: row[7], details: try JSONText.object(row[8]), source: source,
            confidence: row[10], accessCount: row[11], tags: try list(row[12]), relatedDevices: try list(row[13]), person: row[14],
            experience: try (row[15] as String?).flatMap { $0.isEmpty ? nil : $0 }.map {
                try JSONDecoder().decode(Memory.Experience.self, from: Data($0.utf8))
            },
            isPinned: row[16])
        return StoredMemory(memory: memory, version: row[17])
    }
}
