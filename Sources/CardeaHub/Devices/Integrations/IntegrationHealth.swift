import CardeaModel
import CardeaStore
import Foundation

/// The health of an integration.
public struct IntegrationHealth: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable {
        case connected, connecting, failed, off
    }

    public var status: Status
    public var since: Date
    /// The last error in words.
    public var reason: String?
    public var notices: [Notice]

    public struct Notice: Hashable, Sendable {
        public let entityID: String?
        public let message: String

        public init(entityID: String?, message: String) {
            self.entityID = entityID
            self.message = message
        }
    }

    public init(status: Status, since: Date, reason: String? = nil, notices: [Notice] = []) {
        self.status = status
        self.since = since
        self.reason = reason
        self.notices = notices
    }
}
