import CardeaModel
import CardeaStore
import Foundation

/// What the hub needs of an integration: somebody who can be asked to move a device, and who tells what devices say.
///
/// The virtual house, an MQTT broker or Home Assistant fills this port. A backend reports through the `DeviceDesk` it was given,
/// and never decides anything.
public protocol DeviceBackend: Sendable {
    /// The integration's wire name: `virtual`, `mqtt`.
    var integration: String { get }

    /// Hands one order to the device, once. Returns when it is handed over, or when it is sure that it will not be.
    ///
    /// Nothing may keep the order and deliver it later: an order that cannot go out now is refused.
    func perform(_ order: DeviceOrder) async -> DispatchResult

    /// Asks the device how it stands, where it can be asked; the answer comes as a report.
    func refresh(entityID: String) async

    /// How the connection stands, for the settings page.
    func health() async -> IntegrationHealth

    /// The last picture of an image entity; nil where there is none.
    func picture(of entityID: String) async -> EntityPicture?

    /// The announcements that were read; nil where devices are not announced.
    func announcements() async -> AnnouncementReport?

    /// The announcement at `topic` as it came, its secrets masked; nil where none is kept.
    func announcement(at topic: String) async -> String?

    /// The entities that a person may link to themselves; none where it knows of no people.
    func presenceSources() async -> [PresenceSource]
}

extension DeviceBackend {
    public func picture(of entityID: String) async -> EntityPicture? { nil }
    public func announcements() async -> AnnouncementReport? { nil }
    public func announcement(at topic: String) async -> String? { nil }
    public func presenceSources() async -> [PresenceSource] { [] }
}

/// One command on its way to a device.
public struct DeviceOrder: Hashable, Sendable {
    public let commandID: String
    /// Whose device it is; the backend's own name.
    public let integration: String
    public let deviceID: String
    public let entityID: String
    public let verb: Verb
    /// What was asked, and what a report must tell of: a light that is switched on may be sent a brightness.
    public let requestedVerb: Verb
    public let value: JSONValue?
    /// Seconds over which a light fades; nil for the device's own.
    public let transition: Double?
    /// When it was decided that it may be done.
    public let acceptedAt: Date
    /// After this the order is worthless and must not be delivered.
    public let notAfter: Date

    /// - Parameter asked: what was asked, where something else is sent.
    public init(
        commandID: String, integration: String = "", deviceID: String, entityID: String, verb: Verb, asked: Verb? = nil, value: JSONValue?,
        transition: Double?, acceptedAt: Date, notAfter: Date
    ) {
        self.commandID = commandID
        self.integration = integration
        self.deviceID = deviceID
        self.entityID = entityID
        self.verb = verb
        self.requestedVerb = asked ?? verb
        self.value = value
        self.transition = transition
        self.acceptedAt = acceptedAt
        self.notAfter = notAfter
    }
}

/// What became of handing an order over. The outcome is another matter: that is what the device reports.
public enum DispatchResult: Hashable, Sendable {
    /// It is on its way; a report will tell.
    case dispatched
    /// It is on its way, and this device never reports: nobody will know.
    case dispatchedWithoutReport
    /// It may be on its way, and nobody will know.
    case uncertain(reason: String)
    /// Definitely not sent.
    case refused(reason: String)
    /// Definitely not sent: the device is there, and does not do this, or not with this value. Asking again does not help.
    case unsupported
}

/// How an integration stands.
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

/// Where integrations hand in what they find and hear. `Devices` is the one who stands behind it.
public protocol DeviceSink: Sendable {
    /// The integration knows these rooms. One that the house has already, by its id, is called as it is called now, unless people here
    /// made it or named it; all else of it stays.
    func announce(rooms: [Room]) async throws
    /// A device is there, with these entities: new, or described anew. States in it are ignored; a report tells them.
    /// What a person changed (name, room, flags) stays.
    func announce(_ device: Device) async throws
    /// The device is no longer announced.
    func withdraw(deviceID: String, integration: String) async throws
    /// Entities said something. Together they are one commit.
    func report(_ reports: [EntityReport]) async throws
    /// Devices went on or off line.
    func reportAvailability(_ status: DeviceStatus, deviceIDs: [String]) async throws
    /// The house's memory of an entity that is or was a way in; an empty one of any other.
    func wayInHold(of entityID: String) -> WayInRestrictions
    /// A message on this topic might move a way in.
    func mayMoveWayIn(topic: String) async throws -> Bool
}

extension DeviceSink {
    /// The same for whoever has a thread of their own, and waits on it until what was said is kept: nobody need be woken for it.
    public func report(onOwnThread reports: [EntityReport], isolation: isolated (any Actor)? = #isolation) async throws {
        try await Store.writingOnCurrentThread { try await report(reports) }
    }
}

/// What an entity said of itself.
public struct EntityReport: Hashable, Sendable {
    public let entityID: String
    public let state: EntityState
    /// Attributes of the device that changed with it.
    public let deviceAttributes: [String: JSONValue]
    /// False for what was said some time ago and only heard now, such as a retained message: it tells the state but answers no command.
    public let isFresh: Bool
    /// A press, or another event: said again, it happened again. Of a sensor it may be one.
    public let isPress: Bool
    /// The command that it answers, and no other; nil where it may answer any.
    public let answeredCommandID: String?

    /// How it came to be known, where that is not by the change itself.
    ///
    /// - Parameter before: what the entity had said until then. A sensor's word is a press only after nothing: else it is a change.
    func reportKind(of kind: EntityKind, after before: EntityState) -> ReportKind? {
        guard isFresh else { return .kept }
        return isPress && (kind != .sensor || before.value == "unknown") ? .press : nil
    }

    public init(
        entityID: String, state: EntityState, deviceAttributes: [String: JSONValue] = [:], isFresh: Bool = true, isPress: Bool = false,
        answers: String? = nil
    ) {
        self.entityID = entityID
        self.state = state
        self.deviceAttributes = deviceAttributes
        self.isFresh = isFresh
        self.isPress = isPress
        self.answeredCommandID = answers
    }
}
