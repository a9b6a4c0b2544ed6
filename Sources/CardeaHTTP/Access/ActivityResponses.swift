import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation

/// Entries of the audit log, as they are shown.
enum ActivityResponses {
    static func entry(_ entry: ActivityLog.Entry) -> ActivityEntry {
        ActivityEntry(
            id: entry.id, at: entry.at, who: .init(kind: entry.whoKind, id: entry.whoID, name: entry.whoName),
            via: entry.via.map { .init(kind: $0.kind.rawValue, id: $0.id, name: $0.name) }, action: entry.action,
            deviceID: entry.deviceID, deviceName: entry.deviceName, entityID: entry.entityID, result: result(entry), reason: entry.reason,
            commandID: entry.commandID, remote: entry.remote)
    }

    private static func result(_ entry: ActivityLog.Entry) -> String {
        entry.action == "pair" && entry.result == "done" ? "paired" : entry.result
    }
}
