import CardeaHub
import CardeaModel

/// A desk that writes down what is handed in.
struct RecordingDesk: DeviceDesk {
    struct Log: Sendable {
        var devices: [String: Device] = [:]
        var withdrawn: [String] = []
        var batches: [[EntityReport]] = []
        var statuses: [String: DeviceStatus] = [:]

        var reports: [EntityReport] { batches.flatMap(\.self) }

        func last(_ entityID: String) -> EntityReport? { reports.last { $0.entityID == entityID } }
    }

    let log = Watched(Log())

    func announce(_ device: Device) async throws {
        log.change { $0.devices[device.id] = device }
    }

    func withdraw(deviceID: String, integration: String) async throws {
        log.change {
            $0.devices[deviceID] = nil
            $0.withdrawn.append(deviceID)
        }
    }

    func report(_ reports: [EntityReport]) async throws {
        log.change { $0.batches.append(reports) }
    }

    func availability(_ status: DeviceStatus, deviceIDs: [String]) async throws {
        log.change { log in
            for id in deviceIDs { log.statuses[id] = status }
        }
    }
}
