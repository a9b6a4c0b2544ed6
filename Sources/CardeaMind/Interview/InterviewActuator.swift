import CardeaModel

/// The interview's access to the house for one person: it finds nearby devices, and creates the confirmed ones with the person's rights and
/// in their name. The mind declares this protocol and does not know the hub; the program that assembles the house implements it.
public protocol InterviewActuator: Sendable {
    /// The devices that announce themselves nearby, as far as the person may know them. None of them is a device of the house.
    func nearbyDevices() async throws -> [DiscoveredDevice]

    /// The names of the integrations that are set up.
    func connectedIntegrations() async -> Set<String>

    /// Checks that the person may create all of these devices. Throws if they may not, and records that.
    func authorize(_ devices: [Interview.DeviceDraft]) async throws

    /// Creates a device of the house in its room, or sets name and place of the one that it is already.
    ///
    /// - Parameter key: a unique key. A second call with the same key creates nothing.
    /// - Throws: an `Interview.CreationError` if it is not possible now; any other error if it is unknown whether it was done.
    func createDevice(_ device: Interview.DeviceDraft, key: String) async throws -> Interview.CreatedDevice
}

extension Interview {
    /// The reason why a device is not created now. It stays owed, since the obstacle may be removed.
    public enum CreationError: Error, Hashable, Sendable, CaseIterable {
        /// The house has as many planned devices as it can keep.
        case limitReached
        /// The person was allowed to create it at the confirmation, and is not any more.
        case notAllowed
    }

    /// A device of the house that was created from a confirmed candidate.
    public struct CreatedDevice: Hashable, Sendable {
        public enum Status: String, Hashable, Sendable, CaseIterable {
            /// A device of the house that was given its name or its place.
            case connected
            /// A new device that is not connected yet.
            case pendingAuth = "pending_auth"
            /// A device of the house that needed no change.
            case existing
        }

        public var candidateID: String
        public var deviceID: String
        public var name: String
        public var status: Status
        /// The remaining steps, in words; empty if there are none.
        public var nextSteps: [String]

        public init(candidateID: String, deviceID: String, name: String, status: Status, nextSteps: [String] = []) {
            self.candidateID = candidateID
            self.deviceID = deviceID
            self.name = name
            self.status = status
            self.nextSteps = nextSteps
        }
    }
}
