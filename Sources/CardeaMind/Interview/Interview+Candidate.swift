import CardeaModel

extension Interview {
    /// A thing that was mentioned and may become a device.
    public struct Candidate: Codable, Hashable, Sendable, Identifiable {
        public enum Status: String, Codable, Hashable, Sendable, CaseIterable {
            case pending, confirmed, rejected
            case needsInfo = "needs_info"
        }

        /// A property that is not known yet.
        public enum Field: String, Codable, Hashable, Sendable, CaseIterable {
            case kind, count, room, connection
        }

        public let id: String
        public internal(set) var status = Status.pending
        /// The words that mentioned it, oldest first.
        public internal(set) var words: [String] = []
        public internal(set) var brand: String?
        /// The purpose, by its id in the equipment lexicon: `dishwasher`.
        public internal(set) var function: String?
        /// The usual word for it.
        public internal(set) var noun: String?
        public internal(set) var model: String?
        public internal(set) var kind: EntityKind?
        public internal(set) var deviceClass = DeviceClass.other
        public internal(set) var room: KnownRoom?
        /// The rooms it may be in, if the words fit several.
        public internal(set) var roomOptions: [KnownRoom] = []
        /// The place within the room, in the person's words.
        public internal(set) var place: String?
        /// The number of such things, 1 to `Interview.countLimit`.
        public internal(set) var count = 1
        /// The name that the person gave it.
        public internal(set) var givenName: String?
        /// The confidence that it was understood, 0 to 1.
        public internal(set) var confidence = 0.0
        public internal(set) var possibleIntegrations: [String] = []
        /// The ids of discovered devices that are this candidate, at most `count`.
        public internal(set) var matched: [String] = []
        /// The ids of discovered devices that may be this candidate.
        public internal(set) var matchOptions: [String] = []
        public internal(set) var missing: [Field] = []
        public internal(set) var createdDeviceIDs: [String] = []

        // Settled in the conversation, so not asked again.
        var traits: [String] = []
        var isCountOpen = false
        var isRoomSettled = false
        var isRoomInferred = false
        var isRoomFromThing = false
        var isFunctionFromThing = false
        var isOutside = false
        var isKindUnknown = false
        /// The discovered devices that a person said it is.
        var chosen: [String] = []
        /// The discovered devices that a person said it is not.
        var refused: [String] = []
        var isConnectionSettled = false
        var isCorrected = false

        init(id: String) { self.id = id }

        var isOpen: Bool { status == .pending || status == .needsInfo }
        /// True if it is open or confirmed, so that "the lamp" may still refer to it.
        var isActive: Bool { status != .rejected }
    }

    /// A thing that is not connected, or something to be remembered, as it was said. A superseded note is kept with its dates.
    public struct Note: Codable, Hashable, Sendable, Identifiable {
        public let id: String
        public let text: String
        public let function: String?
        public let brand: String?
        public let count: Int
        public let room: KnownRoom?
        public let writtenAt: Int64
        /// The time at which it was superseded; nil while it is current. Milliseconds since 1970, as everywhere.
        public internal(set) var supersededAt: Int64?
        /// The reason why it was superseded, in words.
        public internal(set) var supersededBecause: String?

        public var isCurrent: Bool { supersededAt == nil }
    }

    /// A message of the conversation.
    public struct Message: Codable, Hashable, Sendable {
        public enum Speaker: String, Codable, Hashable, Sendable { case person, house }

        public let speaker: Speaker
        public let text: String
        /// Milliseconds since 1970.
        public let at: Int64
    }

    /// The progress of the conversation.
    public struct Progress: Codable, Hashable, Sendable {
        public let totalDevicesMentioned: Int
        public let devicesConfirmed: Int
        public let devicesPending: Int
        /// 0 to 100.
        public let completionPercentage: Int

        public init(status: Status, mentioned: Int, confirmed: Int) {
            totalDevicesMentioned = mentioned
            devicesConfirmed = confirmed
            devicesPending = mentioned - confirmed
            completionPercentage = status == .completed ? 100 : mentioned == 0 ? 0 : min(max(confirmed * 100 / mentioned, 0), 100)
        }

        private enum CodingKeys: String, CodingKey {
            case totalDevicesMentioned = "total_devices_mentioned"
            case devicesConfirmed = "devices_confirmed"
            case devicesPending = "devices_pending"
            case completionPercentage = "completion_percentage"
        }
    }

    /// A device to create. The interview only describes it; a caller with the right to do so creates it.
    public struct DeviceDraft: Codable, Hashable, Sendable {
        public let candidateID: String
        /// The number of the device within its candidate, from 1.
        public let number: Int
        /// Passes `Name.check`. It is a name and nothing else, whatever it says.
        public let name: String
        public let function: String?
        public let kind: EntityKind?
        public let deviceClass: DeviceClass
        public let room: RoomReference?
        public let brand: String?
        public let model: String?
        /// Passes `Name.checkDescription`.
        public let description: String?
        /// The discovered device that this is; nil if there is none, so it is not connected yet.
        public let thingID: String?
        /// The device of the house that it is already; there is nothing to create then.
        public let deviceID: String?
        public let missing: [Candidate.Field]

        public var isConnected: Bool { thingID != nil }
    }
}
