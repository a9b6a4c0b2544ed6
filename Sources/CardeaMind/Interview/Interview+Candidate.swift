import CardeaModel

extension Interview {
    /// Something that was spoken of and may become a device.
    public struct Candidate: Codable, Hashable, Sendable, Identifiable {
        public enum Status: String, Codable, Hashable, Sendable, CaseIterable {
            case pending, confirmed, rejected
            case needsInfo = "needs_info"
        }

        /// What is not known of it yet.
        public enum Field: String, Codable, Hashable, Sendable, CaseIterable {
            case kind, count, room, connection
        }

        public let id: String
        public internal(set) var status = Status.pending
        /// The words it came from, oldest first.
        public internal(set) var words: [String] = []
        public internal(set) var brand: String?
        /// What it is for, as the equipment words name it: `dishwasher`.
        public internal(set) var function: String?
        /// The word people have for it.
        public internal(set) var noun: String?
        public internal(set) var model: String?
        public internal(set) var kind: EntityKind?
        public internal(set) var deviceClass = DeviceClass.other
        public internal(set) var room: KnownRoom?
        /// The rooms it may be in, where the words fit several.
        public internal(set) var roomOptions: [KnownRoom] = []
        /// Where in the room, in the person's words.
        public internal(set) var place: String?
        /// How many there are of it, 1 to `Interview.countLimit`.
        public internal(set) var count = 1
        /// The name somebody gave it.
        public internal(set) var givenName: String?
        /// How sure the house is that it understood, 0 to 1.
        public internal(set) var confidence = 0.0
        public internal(set) var possibleIntegrations: [String] = []
        /// What was discovered and is this, one for each of its count at most.
        public internal(set) var matched: [String] = []
        /// What was discovered and may be this.
        public internal(set) var matchOptions: [String] = []
        public internal(set) var missing: [Field] = []
        public internal(set) var createdDeviceIDs: [String] = []

        // What the conversation settled; these are not asked again.
        var traits: [String] = []
        var isCountOpen = false
        var isRoomSettled = false
        var isRoomInferred = false
        var isRoomFromThing = false
        var isFunctionFromThing = false
        var isOutside = false
        var isKindUnknown = false
        /// Said by a person to be these discovered things.
        var chosen: [String] = []
        /// Said by a person not to be any of these.
        var refused: [String] = []
        var isConnectionSettled = false
        var isCorrected = false

        init(id: String) { self.id = id }

        var isOpen: Bool { status == .pending || status == .needsInfo }
        /// Open or taken in: what somebody may still mean by "the lamp".
        var isActive: Bool { status != .rejected }
    }

    /// A thing that is not connected, or something to be remembered, as it was said. What no longer holds is kept with its dates.
    public struct Note: Codable, Hashable, Sendable, Identifiable {
        public let id: String
        public let text: String
        public let function: String?
        public let brand: String?
        public let count: Int
        public let room: KnownRoom?
        public let writtenAt: Int64
        /// When it ceased to hold; nil while it does. Milliseconds since 1970, as everywhere.
        public internal(set) var supersededAt: Int64?
        /// Why it does not hold any more, in words.
        public internal(set) var supersededBecause: String?

        public var isCurrent: Bool { supersededAt == nil }
    }

    /// Who said what, and when.
    public struct Message: Codable, Hashable, Sendable {
        public enum Speaker: String, Codable, Hashable, Sendable { case person, house }

        public let speaker: Speaker
        public let text: String
        /// Milliseconds since 1970.
        public let at: Int64
    }

    /// How far the conversation is.
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

    /// A device to be created by whoever may: the interview only says what it would be.
    public struct DeviceDraft: Codable, Hashable, Sendable {
        public let candidateID: String
        /// Which of the candidate's devices it is, from 1.
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
        /// What was discovered and is this; nil where nothing was, so it is not connected yet.
        public let thingID: String?
        /// The device of the house that it already is: there is nothing to create then.
        public let deviceID: String?
        public let missing: [Candidate.Field]

        public var isConnected: Bool { thingID != nil }
    }
}
