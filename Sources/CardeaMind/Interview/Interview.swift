import CardeaModel
import Foundation

/// The conversation in which a person describes new devices. A message goes in and a reply comes out; there are no other effects.
///
/// ```swift
/// var (interview, reply) = Interview.start(id: "interview_1", in: house, discovered: things, at: now)
/// reply = try interview.receive("There are two Hue lamps over the sofa and a Yale lock at the back.", at: now)
/// let devices = try interview.confirm(.all, at: now).drafts
/// ```
///
/// It is a value, so it can be stored after every message and continued after a restart. It goes from the house to its rooms, their things,
/// things that serve several rooms, and equipment that is not connected. It asks one question at a time, never one whose answer it knows,
/// and may be ended at any time.
public struct Interview: Codable, Hashable, Sendable {
    public enum Phase: String, Codable, Hashable, Sendable, CaseIterable {
        case introduction, discovery, classification, configuration, completed
        case twinCreation = "twin_creation"
    }

    public enum Status: String, Codable, Hashable, Sendable, CaseIterable {
        case active, completed, paused, cancelled
    }

    /// The reason why the interview does not accept a message or a decision.
    public enum ConversationError: Error, Hashable, Sendable {
        case notActive(Status)
        case notPaused(Status)
        case empty
        case noSuchCandidate(String)
    }

    /// The reply of the house, with the values that a screen needs.
    public struct Reply: Hashable, Sendable {
        public var text: String
        public var phase: Phase
        public var status: Status
        /// The ids of the candidates that were added or changed by this message.
        public var candidates: [String]
        /// Devices to create now: the person confirmed them.
        public var drafts: [DeviceDraft]
    }

    // All stored data is bounded, however long a person talks.
    public static let messageLimit = 200
    public static let candidateLimit = 200
    public static let noteLimit = 200
    public static let roomLimit = 60
    public static let discoveryLimit = 200
    public static let countLimit = 50
    static let wordsLimit = 6

    /// The version of the stored form. A change in the meaning of what is stored takes a new number.
    static let currentVersion = 1
    private var version = Interview.currentVersion

    public let id: String
    public let startedAt: Int64
    public internal(set) var lastActivityAt: Int64
    public internal(set) var status = Status.active
    public internal(set) var houseName: String
    public internal(set) var rooms: [KnownRoom] = []
    public internal(set) var discovered: [DiscoveredDevice] = []
    public internal(set) var candidates: [Candidate] = []
    public internal(set) var notes: [Note] = []
    /// The last `messageLimit` messages.
    public internal(set) var conversation: [Message] = []
    public internal(set) var totalTurns = 0
    /// Confirmed devices that have not been reported as created. After a crash, the caller goes on from here.
    public internal(set) var owed: [DeviceDraft] = []
    /// The names of the house's devices, so that no name is used twice.
    var takenNames: [String] = []
    var question: Question?
    /// The ids of the candidates whose removal was requested and not yet confirmed.
    var removing: [String]?
    var asked: [String: Int] = [:]
    var ignoredThings: [String] = []
    /// The ids of the candidates that "it" refers to.
    var topic: [String] = []
    var nextNumber = 1
    var hasHeard = false
    /// True if the person wants no more questions.
    var isEnding = false

    init(id: String, houseName: String, at now: Date) {
        self.id = id
        self.houseName = houseName
        startedAt = now.milliseconds
        lastActivityAt = now.milliseconds
    }

    /// Starts the conversation.
    ///
    /// - Parameters:
    ///   - house: the house, as far as the person may see it.
    ///   - discovered: devices that integrations and Bonjour found. The house's own devices are added as known.
    public static func start(
        id: String, in house: HouseSnapshot, discovered: [DiscoveredDevice], at now: Date
    ) -> (interview: Interview, reply: Reply) {
        var interview = Interview(id: id, houseName: Name.cleaned(house.name, else: phrase(.theHouse)), at: now)
        interview.update(at: house)
        interview.discover(discovered)
        let text = interview.advance(after: interview.greeting())
        let reply = interview.reply(text, at: now)
        return (interview, reply)
    }

    /// Updates the interview to the present house: new rooms and devices.
    public mutating func update(at house: HouseSnapshot) {
        let known = house.rooms.prefix(Self.roomLimit).map {
            KnownRoom(reference: .known(id: $0.id), name: Name.cleaned($0.name, else: $0.id), kind: $0.traits.kind, floor: $0.traits.floor)
        }
        let names = Set(known.map { EquipmentLexicon.folded($0.name) })
        rooms =
            known
            + rooms.filter { if case .new(let name, _) = $0.reference { !names.contains(EquipmentLexicon.folded(name)) } else { false } }
        for place in candidates.indices { candidates[place].room = resolvedRoom(candidates[place].room) }
        takenNames = Array(house.devices.map { Name.cleaned($0.name, else: $0.id) }.prefix(500)) + owed.map(\.name)
        discover(
            house.devices.map {
                DiscoveredDevice(
                    id: "device:\($0.id)", name: $0.name, kind: $0.entities.first?.kind, brand: $0.manufacturer, model: $0.model,
                    room: $0.roomID, source: .init(integration: $0.integration), deviceID: $0.id)
            })
    }

    /// The house's room for a proposed one, once the house has it.
    private func resolvedRoom(_ room: KnownRoom?) -> KnownRoom? {
        guard let room, case .new(let name, _) = room.reference else { return room }
        return rooms.first { EquipmentLexicon.folded($0.name) == EquipmentLexicon.folded(name) } ?? room
    }

    /// Adds devices that were discovered since, and updates known ones.
    public mutating func discover(_ things: [DiscoveredDevice]) {
        for thing in things.map(\.cleaned) {
            if let place = discovered.firstIndex(where: { $0.id == thing.id }) {
                discovered[place] = thing
            } else if let device = thing.deviceID, let place = discovered.firstIndex(where: { $0.deviceID == device }) {
                // The integration knows more about it than the house snapshot.
                if discovered[place].id.hasPrefix("device:") { discovered[place] = thing }
            } else if discovered.count < Self.discoveryLimit {
                discovered.append(thing)
            }
        }
        refresh()
    }

    // MARK: Progress

    public var phase: Phase {
        if status == .completed { return .completed }
        if !hasHeard, candidates.isEmpty { return .introduction }
        switch question {
        case .kind, .match, .count: return .classification
        case .place, .notFound, .confirm, .removal: return .configuration
        case .house, .rooms, .room, .thing, .shared, .unconnected: return .discovery
        case nil: return candidates.contains { $0.status == .confirmed } ? .twinCreation : .discovery
        }
    }

    public var progress: Progress {
        let alive = candidates.filter(\.isActive)
        let total = alive.reduce(0) { $0 + $1.count }
        let confirmed = alive.filter { $0.status == .confirmed }.reduce(0) { $0 + $1.count }
        return Progress(status: status, mentioned: total, confirmed: confirmed)
    }

    public func candidate(_ id: String) -> Candidate? { candidates.first { $0.id == id } }

    public var currentNotes: [Note] { notes.filter(\.isCurrent) }

    // MARK: Resuming and cancelling

    public mutating func pause(at now: Date) throws(ConversationError) {
        guard status == .active else { throw .notActive(status) }
        status = .paused
        lastActivityAt = now.milliseconds
    }

    /// Continues where it was left, with the open question.
    public mutating func resume(at now: Date) throws(ConversationError) -> Reply {
        guard status == .paused else { throw .notPaused(status) }
        status = .active
        guard let question else { return reply(advance(after: Self.phrase(.welcomeBack)), at: now) }
        return reply(Self.phrase(.welcomeBack) + " " + prompt(for: question), at: now)
    }

    /// Ends the interview. Confirmed devices stay owed until the caller has created those that can be created.
    public mutating func cancel(at now: Date) throws(ConversationError) {
        guard status == .active || status == .paused else { throw .notActive(status) }
        stop()
        lastActivityAt = now.milliseconds
    }

    mutating func stop() {
        status = .cancelled
        question = nil
    }

    /// Drops the devices that could not be created, if the interview was cancelled.
    mutating func discardUncreated() {
        if status == .cancelled { owed = [] }
    }

    // MARK: Decisions

    /// A choice of candidates.
    public enum Selection: Hashable, Sendable {
        case all
        case ids([String])
    }

    /// Confirms candidates: their devices are in the reply's drafts, for the caller to create.
    public mutating func confirm(_ which: Selection, at now: Date) throws(ConversationError) -> Reply {
        try decide(confirm: which, reject: .ids([]), at: now)
    }

    /// Rejects candidates; they are kept as rejected.
    public mutating func reject(_ which: Selection, at now: Date) throws(ConversationError) -> Reply {
        try decide(confirm: nil, reject: which, at: now)
    }

    /// Confirms some candidates and rejects others, all of it or nothing.
    ///
    /// - Parameter confirmed: nil to confirm none.
    public mutating func decide(confirm confirmed: Selection?, reject rejected: Selection, at now: Date) throws(ConversationError) -> Reply
    {
        let left = try resolveOpen(rejected)
        let chosen = try resolveOpen(confirmed ?? .ids([]))
        if let both = chosen.first(where: { left.contains($0) }) { throw .noSuchCandidate(both.id) }
        for candidate in left { editCandidate(candidate.id) { $0.status = .rejected } }
        let drafts = confirmAndDraft(chosen)
        question = nil
        var words: [String] = []
        if !left.isEmpty { words.append(Self.phrase(.leaveOut, [.list: list(left)])) }
        if !chosen.isEmpty { words.append(Self.phrase(.takeIn, [.list: list(chosen)])) }
        if words.isEmpty { words.append(Self.phrase(confirmed == nil ? .nothingToLeaveOut : .nothingToTakeIn)) }
        let text = advance(after: words.joined(separator: " "))
        return reply(text, candidates: (left + chosen).map(\.id), drafts: drafts, at: now)
    }

    /// Records that the caller created a device of this candidate.
    ///
    /// - Parameter number: the number of the device within its candidate, from the draft; nil for the first that is owed.
    public mutating func recordCreation(_ deviceID: String, of candidateID: String, number: Int? = nil, at now: Date)
        throws(ConversationError)
    {
        guard let candidate = candidate(candidateID), candidate.status == .confirmed else { throw .noSuchCandidate(candidateID) }
        editCandidate(candidateID) { candidate in
            if candidate.createdDeviceIDs.count < candidate.count, !candidate.createdDeviceIDs.contains(deviceID) {
                candidate.createdDeviceIDs.append(String(deviceID.prefix(200)))
            }
        }
        if let place = owed.firstIndex(where: { $0.candidateID == candidateID && (number == nil || $0.number == number) }) {
            owed.remove(at: place)
        }
        lastActivityAt = now.milliseconds
        completeIfDone()
    }

    /// Appends the outcome of creating the confirmed devices.
    public mutating func appendHouseMessage(_ text: String, at now: Date) { _ = reply(text, at: now) }

    /// Completes the interview if there is no further question and no owed device.
    mutating func completeIfDone() {
        guard status == .active, question == nil, isEnding || nextQuestion() == nil && !candidates.contains(where: \.isOpen) else { return }
        let isWaiting = candidates.contains { $0.status == .confirmed && $0.createdDeviceIDs.count < $0.count }
        if !isWaiting { status = .completed }
    }

    private func resolveOpen(_ which: Selection) throws(ConversationError) -> [Candidate] {
        guard status == .active else { throw .notActive(status) }
        switch which {
        case .all: return candidates.filter(\.isOpen)
        case .ids(let ids):
            var chosen: [Candidate] = []
            for id in ids {
                guard let candidate = candidate(id), candidate.isOpen else { throw .noSuchCandidate(id) }
                if !chosen.contains(where: { $0.id == id }) { chosen.append(candidate) }
            }
            return chosen
        }
    }
}

extension Interview {
    private enum VersionCodingKey: String, CodingKey { case version }

    /// Restores a stored interview. Data of a later version is refused rather than half understood.
    public static func restored(from data: Data) throws -> Interview {
        struct Stamp: Decodable { let version: Int }
        let stamp = try JSONDecoder().decode(Stamp.self, from: data)
        guard (1...currentVersion).contains(stamp.version) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [VersionCodingKey.version], debugDescription: "Version \(stamp.version) is not known."))
        }
        return try JSONDecoder().decode(Interview.self, from: data)
    }

    /// The stored form of the interview; `restored` gives back the same value.
    public func archived() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(self)
    }
}
