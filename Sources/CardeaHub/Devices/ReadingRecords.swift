import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Sensor readings as rows.
enum ReadingRecords {
    /// Stores a reading, unless it is close to the previous one in value and time. It runs in the transaction of the report, as one
    /// statement.
    static func write(_ entityID: String, _ value: Double, at now: Date, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO readings (entity_id, at, value) SELECT ?1, ?2, ?3
                WHERE NOT EXISTS (
                    SELECT 1 FROM (SELECT at, value FROM readings WHERE entity_id = ?1 ORDER BY at DESC LIMIT 1)
                    WHERE at > ?2 - ?4 AND abs(value - ?3) <= ?5 * max(abs(value), abs(?3)))
                ON CONFLICT (entity_id, at) DO UPDATE SET value = excluded.value
                """
        ).execute(arguments: [
            entityID, now.milliseconds, value, Int64(ReadingPolicy.minimumInterval * 1000), ReadingPolicy.significantChange,
        ])
    }

    static func raw(_ entityID: String, _ span: Readings.Span, limit: Int, _ db: Database) throws -> [Reading] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT at, value FROM readings WHERE entity_id = ? AND at >= ? AND at < ? ORDER BY at LIMIT ?"),
            arguments: [entityID, span.from.milliseconds, span.to.milliseconds, limit]
        ).map { Reading(at: Date(milliseconds: $0[0]), value: $0[1]) }
    }

    /// Hours that begin within the span: the stored ones, then those that can still be made from readings within it.
    ///
    /// - Parameter now: the mean of an unfinished hour is taken up to here.
    static func hours(
        _ entityID: String, _ span: Readings.Span, asOf now: Date, limit: Int, _ db: Database
    ) throws -> [HourlyReading] {
        var hours = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT \(columns) FROM hourly_readings WHERE entity_id = ? AND hour >= ? AND hour < ? ORDER BY hour LIMIT ?"),
            arguments: [entityID, span.from.milliseconds, span.to.milliseconds, limit]
        ).map(hour)
        guard hours.count < limit else { return hours }
        // A cursor: a week of readings is condensed one hour at a time.
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT at, value FROM readings WHERE entity_id = ? AND at >= ? AND at < ? ORDER BY at"),
            arguments: [entityID, span.from.milliseconds, span.to.milliseconds])
        var open: (hour: Int64, readings: [Reading])?
        var start = try hours.last?.last ?? lastValue(entityID, span.from, db)
        let end = min(span.to, now)
        func close() {
            guard let open,
                let made = HourlyReading(open.readings, in: Date(milliseconds: open.hour), after: start, from: span.from, until: end)
            else { return }
            hours.append(made)
            start = made.last
        }
        while let row = try rows.next() {
            let at: Int64 = row[0]
            let hour = ReadingPolicy.hour(of: at)
            if open?.hour != hour {
                close()
                guard hours.count < limit else { return hours }
                open = (hour, [])
            }
            open?.readings.append(Reading(at: Date(milliseconds: at), value: row[1]))
        }
        close()
        return hours
    }

    /// The amount a meter counted within the span, starting at its last reading before it; nil if it has no reading within the span.
    static func consumption(_ entityID: String, _ span: Readings.Span, _ db: Database) throws -> Double? {
        let hours = try hours(entityID, span, asOf: span.to, limit: .max, db)
        guard let first = hours.first else { return nil }
        var last = try lastValue(entityID, span.from, db) ?? first.first
        var used = 0.0
        for hour in hours {
            used += CumulativeMeter.consumption(from: last, to: hour.first) + hour.used
            last = hour.last
        }
        return used
    }

    /// The last reading before a moment.
    private static func lastValue(_ entityID: String, _ moment: Date, _ db: Database) throws -> Double? {
        try Double.fetchOne(
            db, sql: "SELECT value FROM readings WHERE entity_id = ? AND at < ? ORDER BY at DESC LIMIT 1",
            arguments: [entityID, moment.milliseconds])
            ?? Double.fetchOne(
                db, sql: "SELECT last FROM hourly_readings WHERE entity_id = ? AND hour < ? ORDER BY hour DESC LIMIT 1",
                arguments: [entityID, moment.milliseconds])
    }

    /// The whole span up to `now` as if it were one hour. Hours without readings continue with the last value of the hour before.
    static func summary(_ entityID: String, _ span: Readings.Span, asOf now: Date, _ db: Database) throws -> HourlyReading? {
        let hours = try hours(entityID, span, asOf: now, limit: .max, db)
        guard let first = hours.first, let last = hours.last,
            let mean = hours.meanOverTime(from: span.from, until: min(span.to, now))
        else { return nil }
        return HourlyReading(
            hour: span.from, low: hours.reduce(first.low) { min($0, $1.low) }, high: hours.reduce(first.high) { max($0, $1.high) },
            mean: mean, first: first.first, last: last.last, used: 0, count: hours.reduce(0) { $0 + $1.count }, start: first.start)
    }

    // MARK: From readings to hours

    /// Every sensor with readings. The query jumps from one to the next, and does not walk through all readings.
    static func sensors(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                WITH RECURSIVE sensor (id) AS (
                    SELECT min(entity_id) FROM readings
                    UNION ALL SELECT (SELECT min(entity_id) FROM readings WHERE entity_id > id) FROM sensor WHERE id IS NOT NULL)
                SELECT id FROM sensor WHERE id IS NOT NULL
                """)
    }

    /// Condenses the oldest readings of a sensor before `border` into one hour, and returns their number.
    static func condense(_ entityID: String, before border: Int64, in db: Database) throws -> Int {
        let oldest = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT min(at) FROM readings WHERE entity_id = ? AND at < ?"), arguments: [entityID, border])
        guard let hour = oldest.map(ReadingPolicy.hour) else { return 0 }
        let span = Readings.Span(from: Date(milliseconds: hour), to: Date(milliseconds: hour + 3_600_000))
        let start = try lastValue(entityID, span.from, db)
        if let condensed = HourlyReading(try raw(entityID, span, limit: .max, db), in: span.from, after: start) {
            let isEnergy = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT device_class FROM entities WHERE id = ?"), arguments: [entityID]
            ).map { EnergyMetering.isEnergy($0[0] as String?) }
            // An entity that was removed meanwhile keeps the class of its other hours. The hour may exist already, when a clock was set
            // back: a few late readings do not replace the whole hour that was made before.
            try db.cachedStatement(
                sql: """
                    INSERT INTO hourly_readings (entity_id, hour, low, high, mean, first, last, used, count, is_energy, start)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
                        coalesce(?10, (SELECT is_energy FROM hourly_readings WHERE entity_id = ?1 ORDER BY hour DESC LIMIT 1), 0), ?11)
                    ON CONFLICT (entity_id, hour) DO UPDATE SET low = excluded.low, high = excluded.high, mean = excluded.mean,
                        first = excluded.first, last = excluded.last, used = excluded.used, count = excluded.count, is_energy = excluded.is_energy,
                        start = excluded.start
                    WHERE excluded.count >= hourly_readings.count
                    """
            ).execute(arguments: [
                entityID, hour, condensed.low, condensed.high, condensed.mean, condensed.first, condensed.last, condensed.used,
                condensed.count, isEnergy, condensed.start,
            ])
        }
        try db.cachedStatement(sql: "DELETE FROM readings WHERE entity_id = ? AND at >= ? AND at < ?").execute(
            arguments: [entityID, hour, hour + 3_600_000])
        return db.changesCount
    }

    /// Deletes some hours from before `oldest`, and returns their number.
    static func deleteHours(isEnergy: Bool, before oldest: Int64, in db: Database) throws -> Int {
        try db.execute(
            sql: """
                DELETE FROM hourly_readings WHERE (entity_id, hour) IN (
                    SELECT entity_id, hour FROM hourly_readings WHERE is_energy = ? AND hour < ? LIMIT 1000)
                """, arguments: [isEnergy, oldest])
        return db.changesCount
    }

    private static let columns = "hour, low, high, mean, first, last, used, count, start"

    private static func hour(_ row: Row) -> HourlyReading {
        HourlyReading(
            hour: Date(milliseconds: row[0]), low: row[1], high: row[2], mean: row[3], first: row[4], last: row[5], used: row[6],
            count: row[7], start: row[8])
    }
}
