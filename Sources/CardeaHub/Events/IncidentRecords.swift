import CardeaModel
import Foundation
import GRDB

/// Incidents as rows: events that belong together.
enum IncidentRecords {
    private static let columns = "id, place, started_at, ended_at, has_person, has_ring"

    private static func incident(_ row: Row) -> Incident {
        Incident(
            id: row[0], place: row[1], startedAt: Date(milliseconds: row[2]), endedAt: Date(milliseconds: row[3]), hasPerson: row[4],
            hasRing: row[5])
    }

    /// Assigns an event to an incident and returns the incident's ID. A new incident is named after its first event.
    static func assign(_ sighting: Incident.Sighting, for eventID: String, in db: Database) throws -> String {
        let at = sighting.at.milliseconds
        let (early, late) = (at - Int64(Incident.gap * 1000), at + Int64((Incident.gap + Incident.maximumDuration) * 1000))
        let near = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT \(columns) FROM incidents WHERE place = ? AND ended_at BETWEEN ? AND ? ORDER BY ended_at LIMIT 64"),
            arguments: [sighting.place, early, late])
        let others =
            sighting.type.isDoorbellRing || sighting.type == .person
            ? try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT \(columns) FROM incidents
                        WHERE (has_person = 1 OR has_ring = 1) AND ended_at BETWEEN ? AND ? ORDER BY ended_at LIMIT 64
                        """), arguments: [early, late]) : []
        if var incident = Incident.match(for: sighting, among: (near + others).map(incident)) {
            incident.add(sighting)
            try db.cachedStatement(
                sql: "UPDATE incidents SET started_at = ?, ended_at = ?, has_person = ?, has_ring = ? WHERE id = ?"
            ).execute(arguments: [
                incident.startedAt.milliseconds, incident.endedAt.milliseconds, incident.hasPerson, incident.hasRing, incident.id,
            ])
            return incident.id
        }
        let new = Incident(id: "incident_" + eventID.dropFirst("event_".count), of: sighting)
        try db.cachedStatement(sql: "INSERT INTO incidents (\(columns)) VALUES (?, ?, ?, ?, ?, ?)").execute(arguments: [
            new.id, new.place, at, at, new.hasPerson, new.hasRing,
        ])
        return new.id
    }

    /// Newest first, those that began before `before`.
    static func page(before: Date?, limit: Int, _ db: Database) throws -> [Events.IncidentSummary] {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT \(columns) FROM incidents WHERE started_at < ? ORDER BY started_at DESC, id DESC LIMIT ?"),
            arguments: [before?.milliseconds ?? Int64.max, limit])
        return try rows.map { row in
            let incident = incident(row)
            let kinds = try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT type, count(*), max(key) FROM events WHERE incident_id = ? GROUP BY type ORDER BY type"),
                arguments: [incident.id])
            let last = try kinds.map { $0[2] as Int64 }.max().flatMap { key in
                try String.fetchOne(db.cachedStatement(sql: "SELECT id FROM events WHERE key = ?"), arguments: [key])
            }
            return Events.IncidentSummary(
                incident: incident, types: kinds.map { $0[0] }, count: kinds.reduce(0) { $0 + ($1[1] as Int) }, lastEventID: last)
        }
    }
}
