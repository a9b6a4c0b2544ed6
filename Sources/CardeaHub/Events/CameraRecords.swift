import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// Cameras as rows.
enum CameraRecords {
    static func all(_ db: Database) throws -> [Camera] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM cameras ORDER BY name COLLATE NOCASE, id").compactMap(camera)
    }

    static func one(_ id: String, _ db: Database) throws -> Camera? {
        try Row.fetchOne(db, sql: "SELECT \(columns) FROM cameras WHERE id = ?", arguments: [id]).flatMap(camera)
    }

    static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM cameras") ?? 0
    }

    /// - Parameter sealed: the source, if it is another one.
    static func write(_ camera: Camera, sealed: Data, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO cameras (id, name, is_enabled, kind, address, has_credentials, sealed, detects_motion, sensitivity, zones,
                    version, created_at, changed_at, last_event_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, is_enabled = excluded.is_enabled, kind = excluded.kind,
                    address = excluded.address, has_credentials = excluded.has_credentials, sealed = excluded.sealed,
                    detects_motion = excluded.detects_motion, sensitivity = excluded.sensitivity, zones = excluded.zones,
                    version = excluded.version, changed_at = excluded.changed_at
                """,
            arguments: [
                camera.id, camera.name, camera.isEnabled, camera.kind.rawValue, camera.address, camera.hasCredentials, sealed,
                camera.detection.motion, camera.detection.sensitivity, try JSONText.encode(json(camera.detection.zones)), camera.version,
                camera.createdAt.milliseconds, camera.changedAt.milliseconds, camera.lastEventAt?.milliseconds,
            ])
    }

    /// Records the time of the camera's last event, whatever its source. It does nothing if there is no such camera.
    static func updateLastEvent(_ id: String, at: Date, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE cameras SET last_event_at = max(?, coalesce(last_event_at, 0)) WHERE id = ?")
            .execute(arguments: [at.milliseconds, id])
    }

    static func sealed(_ id: String, _ db: Database) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT sealed FROM cameras WHERE id = ?", arguments: [id])
    }

    private static let columns = """
        id, name, is_enabled, kind, address, has_credentials, detects_motion, sensitivity, zones, version, created_at, changed_at,
        last_event_at
        """

    private static func camera(_ row: Row) throws -> Camera? {
        guard let kind = CameraSourceKind(rawValue: row[3]) else { return nil }
        return Camera(
            id: row[0], name: row[1], isEnabled: row[2], kind: kind, address: row[4], hasCredentials: row[5],
            detection: CameraDetection(motion: row[6], sensitivity: row[7], zones: zones(try JSONText.decode(row[8]))), version: row[9],
            createdAt: Date(milliseconds: row[10]), changedAt: Date(milliseconds: row[11]),
            lastEventAt: (row[12] as Int64?).map(Date.init(milliseconds:)))
    }

    private static func json(_ zones: [CameraZone]) -> JSONValue {
        .array(
            zones.map { zone in
                ["name": .string(zone.name), "points": .array(zone.corners.map { .array([.number($0.x), .number($0.y)]) })]
            })
    }

    private static func zones(_ json: JSONValue) -> [CameraZone] {
        guard case .array(let zones) = json else { return [] }
        return zones.compactMap { zone in
            guard case .array(let points)? = zone["points"], let name = zone["name"]?.string else { return nil }
            return CameraZone(
                name: name,
                corners: points.compactMap { point in
                    guard case .array(let pair) = point, pair.count == 2, let x = pair[0].number, let y = pair[1].number else { return nil }
                    return .init(x: x, y: y)
                })
        }
    }
}

extension CameraSource {
    /// As it is sealed.
    private struct StoredEndpoint: Codable {
        let kind: String
        let url: String
        let user: String?
        let password: String?
        let name: String?
        let token: String?
    }

    static func sealingLabel(_ id: String) -> String { "cameras/\(id)/sealed" }

    func sealed(for id: String, by key: SealingKey) throws -> Data {
        let stored = StoredEndpoint(
            kind: kind.rawValue, url: address.url, user: user, password: password?.reveal(), name: name, token: token?.reveal())
        return try key.seal(JSONEncoder().encode(stored), for: Self.sealingLabel(id))
    }

    struct UnreadableEndpointError: Error {}

    init(sealed: Data, for id: String, by key: SealingKey) throws {
        let stored = try JSONDecoder().decode(StoredEndpoint.self, from: key.open(sealed, for: Self.sealingLabel(id)))
        guard let kind = CameraSourceKind(rawValue: stored.kind) else { throw UnreadableEndpointError() }
        self.init(
            kind: kind, address: try CameraAddress(bare: stored.url, schemes: kind.schemes), user: stored.user,
            password: stored.password.map { Secret($0) }, name: stored.name, token: stored.token.map { Secret($0) })
    }
}
