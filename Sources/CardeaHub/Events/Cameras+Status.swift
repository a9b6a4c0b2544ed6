import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// The reachability of cameras, as the house's reader and other programs report it.
extension Cameras {
    public func reportStatus(_ cameraID: String, _ status: CameraStatus) async {
        reportedStatuses.withLock { $0[cameraID] = status }
        await publish(cameraID, status)
    }

    /// Reports whether the program that serves the pictures of such cameras runs. While it is away, none of them can be reached, even if
    /// something still answers at its address.
    func reportAvailability(_ kind: CameraSourceKind, isThere: Bool) async {
        let now = environment.now()
        let isNews = offlineSince.withLock { away in
            defer { away[kind] = isThere ? nil : away[kind] ?? now }
            return (away[kind] == nil) != isThere
        }
        guard isNews else { return }
        do {
            let ids = try await store.read { try CameraRecords.all($0).filter { $0.kind == kind && $0.isEnabled }.map(\.id) }
            for id in ids {
                // If no reader has looked yet, the status is unknown.
                let seen = reportedStatuses.withLock { $0[id] } ?? CameraStatus(isOnline: false, error: .sourceOffline, since: now)
                await publish(id, CameraStatus(isOnline: seen.isOnline, error: seen.error, since: now))
            }
        } catch {
            logger.error("cameras could not be read", metadata: ["error": "\(type(of: error))"])
        }
    }

    /// Publishes a camera's status if it has changed.
    private func publish(_ cameraID: String, _ status: CameraStatus) async {
        let effective = await effectiveStatus(status, of: cameraID)
        let isNews = statuses.withLock { statuses in
            let before = statuses.updateValue(effective, forKey: cameraID)
            return before?.isOnline != effective.isOnline || before?.error != effective.error
        }
        guard isNews else { return }
        await write("how a camera stands") { db in
            guard try CameraRecords.one(cameraID, db) != nil else { return }
            try Journal.append(
                .cameraChanged, subject: cameraID,
                data: ["is_online": .bool(effective.isOnline), "reason": (effective.error?.message).map(JSONValue.string) ?? .null],
                at: effective.since, in: db)
        }
    }

    private func effectiveStatus(_ status: CameraStatus, of cameraID: String) async -> CameraStatus {
        let away = offlineSince.withLock { $0 }
        guard !away.isEmpty, let camera = try? await store.read({ try CameraRecords.one(cameraID, $0) }), let since = away[camera.kind]
        else { return status }
        return CameraStatus(isOnline: false, error: .sourceOffline, since: since)
    }

    // MARK: Status for readers

    /// The house's camera with this name in its source; nil if none was added. A camera that is switched on takes precedence.
    func find(_ camera: IntegrationCamera) async throws -> Camera? {
        let rows = try await store.read { db in
            try CameraRecords.all(db).filter { $0.kind == camera.kind }.map { ($0, try CameraRecords.sealed($0.id, db)) }
        }
        let meant = rows.compactMap { known, sealed -> Camera? in
            guard let sealed, let plan = try? configuration(known, sealed) else { return nil }
            return plan.source.name == camera.name ? known : nil
        }
        return meant.first(where: \.isEnabled) ?? meant.first
    }

    /// A picture from a source that is not a camera of the house, or not yet; nil if there is none.
    func picture(through view: CameraSource) async -> Data? {
        guard let reader = cameraSource.withLock({ $0 }) else { return nil }
        let name = "\(view.kind.rawValue) \(view.address.authority) \(view.name ?? "")"
        return try? await reader.picture(of: CameraConfiguration(id: name, version: 0, source: view, detection: CameraDetection())).jpeg
    }
}
