import CardeaModel

/// What the interview needs of the house for somebody: what was come upon, and hands that take in what they confirmed, by their rights and in
/// their name. The mind declares this and knows no hub: whoever puts the house together fills it.
public protocol InterviewActuator: Sendable {
    /// What announces itself nearby, as far as they may know; nothing of it is a device of the house.
    func nearbyDevices() async throws -> [DiscoveredDevice]

    /// The integrations that the house is set up with, by their names.
    func connectedIntegrations() async -> Set<String>

    /// Whether they may have all of these taken in. It throws where they may not, and has that on record.
    func authorize(_ devices: [Interview.DeviceDraft]) async throws

    /// Makes a device of the house of it, in its room, or names and places the one that it is.
    ///
    /// - Parameter key: a name of its own. Asked again under the same one, nothing is made a second time.
    /// - Throws: an `Interview.CreationError` where it cannot be done as things are; any other error where nobody knows whether it was done.
    func createDevice(_ device: Interview.DeviceDraft, key: String) async throws -> Interview.CreatedDevice
}

extension Interview {
    /// Why a device is not taken in now. It stays owed: what hinders it may be put right.
    public enum CreationError: Error, Hashable, Sendable, CaseIterable {
        /// The house has as many planned devices as it can keep.
        case limitReached
        /// They were allowed to when they confirmed it, and are not any more.
        case notAllowed
    }

    /// A device of the house that came of what was confirmed.
    public struct CreatedDevice: Hashable, Sendable {
        public enum Status: String, Hashable, Sendable, CaseIterable {
            /// A device of the house, that was given its name or its place.
            case connected
            /// Nothing is connected to it yet.
            case pendingAuth = "pending_auth"
            /// A device of the house that was as it was said to be.
            case existing
        }

        public var candidateID: String
        public var deviceID: String
        public var name: String
        public var status: Status
        /// What is to be done with it, in words; none where nothing is.
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
