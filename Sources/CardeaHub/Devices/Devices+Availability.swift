import CardeaModel
import CardeaStore
import Foundation
import GRDB

extension Devices {
    /// Records that devices can or cannot be reached. The state of a device that cannot is unknown until it reports again.
    public func reportAvailability(_ status: DeviceStatus, deviceIDs: [String]) async throws {
        let now = environment.now()
        let others = deviceIDs.filter { id in
            guard let device = device(id) else { return false }
            return device.status != status || (status != .online && device.entities.contains { !$0.state.saysNothing })
        }
        guard !others.isEmpty else { return }
        let lastReports = lastReports(others)
        _ = try await store.write { db in
            let revisions = try AvailabilityRecords.update(status, of: others, lastReports: lastReports, at: now, in: db)
            return try revisions.keys.sorted().compactMap { try DeviceRecords.one($0, db) }
        } committed: { [self] in
            updateCache($0)
        }
    }

    /// Every device with the time of its latest report: reports that change nothing are not stored.
    var withLastSeen: [Device] {
        let devices = all.devices
        let lastReports = lastReports(devices.map(\.id))
        guard !lastReports.isEmpty else { return devices }
        return devices.map { device in
            guard let at = device.entities.compactMap({ lastReports[$0.id] }).max(), at > device.lastSeenAt ?? .distantPast else {
                return device
            }
            var device = device
            device.lastSeenAt = at
            return device
        }
    }
}
