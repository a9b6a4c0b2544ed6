import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The conversations in which people take devices in: kept after every message, each its person's own.
///
/// What is confirmed is written down as owed before any hand moves, and ticked off when it is there; so a crash in between leaves neither a
/// device that nobody remembers nor one that is made twice. What cannot be made as things are stays owed, and holds up nothing else.
public struct Interviews: Sendable {
    let store: Store
    let houseReader: any HouseReader
    let now: @Sendable () -> Date

    /// Kept for each person.
    public static let maximumPerPerson = 50

    /// In whose name something is said, and what of the house they may be told.
    public struct Participant: Sendable {
        public let personID: String
        public let visibility: AskerVisibility
        public let actuator: any InterviewActuator

        public init(personID: String, sight: AskerVisibility, hands: any InterviewActuator) {
            self.personID = personID
            self.visibility = sight
            self.actuator = hands
        }
    }

    public enum InterviewError: Error {
        /// There is none, or it is somebody else's.
        case notFound
        case refused(Interview.ConversationError)
        /// It is another than the speaker saw.
        case stale(StoredInterview)
        /// Somebody spoke at the same moment.
        case busy
    }

    /// What the house said, and how the conversation stands after it.
    public struct Answer: Sendable {
        public var stored: StoredInterview
        public var text: String
        /// Those that came or changed.
        public var candidates: [String] = []
        public var createdDevices: [Interview.CreatedDevice] = []
    }

    // MARK: Looking

    public func all(of personID: String) async throws -> [InterviewSummary] {
        try await store.read { try InterviewRecords.all(of: personID, $0) }
    }

    public func one(_ id: String, of personID: String) async throws -> StoredInterview {
        guard let kept = try await store.read({ try InterviewRecords.one(id, of: personID, $0) }) else { throw InterviewError.notFound }
        return kept
    }

    // MARK: Talking

    /// Begins a conversation, or goes on with the one that is not over.
    ///
    /// Whoever starts wants to talk, and most often has closed a screen or taken up another phone: what they have said is not to be said
    /// again, and not to be refused either. To begin anew, the open one is cancelled first.
    ///
    /// - Parameter id: of the new one; not used where it goes on.
    public func start(id: String, by speaker: Participant, record: ChangeRecorder) async throws -> (answer: Answer, isNew: Bool) {
        let person = speaker.personID
        // Two screens that start at once begin one conversation: the later one finds it.
        for _ in 0..<3 {
            if let open = try await store.read({ try InterviewRecords.open(of: person, $0) }) {
                let answer = try await continueOpen(with: open, speaker, record)
                if let answer { return (answer, false) }
                continue
            }
            let (picture, things) = try await loadHouse(speaker)
            let (interview, reply) = Interview.start(id: id, in: picture, discovered: things, at: now())
            let text = try Self.encode(interview)
            let isFirst = try await store.write { db in
                guard try InterviewRecords.open(of: person, db) == nil else { return false }
                try InterviewRecords.insert(interview, text, of: person, in: db)
                try Self.recordChange(interview, of: person, record, in: db)
                return true
            }
            if isFirst { return (Answer(stored: StoredInterview(interview: interview, version: 1), text: reply.text), true) }
        }
        throw InterviewError.busy
    }

    /// The open one, taken up again where it was paused; nil where it is over by now.
    private func continueOpen(with open: StoredInterview, _ speaker: Participant, _ record: ChangeRecorder) async throws -> Answer? {
        let interview = open.interview
        guard interview.status == .active else {
            do {
                return try await resume(interview.id, by: speaker, record: record)
            } catch InterviewError.busy, InterviewError.notFound, InterviewError.refused { return nil }
        }
        // Nothing changes by looking at it from another screen: it says again what it said last.
        let last = interview.conversation.last { $0.speaker == .house }?.text ?? ""
        return Answer(stored: open, text: last, candidates: interview.candidates.map(\.id))
    }

    /// Says something to it.
    ///
    /// - Parameters:
    ///   - seen: the version that the speaker saw.
    ///   - asking: what the house answers to a plain question; nil where it does not know.
    public func message(
        _ text: String, to id: String, seen: ExpectedVersion = .any, by speaker: Participant, record: ChangeRecorder,
        asking: ((String) async throws -> String?)? = nil
    ) async throws -> Answer {
        if let asking, try await one(id, of: speaker.personID).interview.isQuestion(text), let words = try await asking(text) {
            return try await advance(id, seen, speaker, record) { interview, now in try interview.relayAnswer(on: words, to: text, at: now)
            }
        }
        return try await advance(id, seen, speaker, record) { interview, now in try interview.receive(text, at: now) }
    }

    /// Takes candidates in, and leaves others out.
    ///
    /// - Parameters:
    ///   - chosen: to be taken in; nil for all that are open, where none is to be left out either.
    ///   - rejected: to be left out.
    public func confirm(
        _ chosen: [String]?, reject rejected: [String] = [], of id: String, seen: ExpectedVersion = .any, by speaker: Participant,
        record: ChangeRecorder
    ) async throws -> Answer {
        try await advance(id, seen, speaker, record) { interview, now in
            let all = chosen == nil && rejected.isEmpty
            return try interview.decide(confirm: all ? .all : chosen.map(Interview.Selection.ids), reject: .ids(rejected), at: now)
        }
    }

    public func pause(_ id: String, seen: ExpectedVersion = .any, by speaker: Participant, record: ChangeRecorder) async throws
        -> StoredInterview
    {
        try await advance(id, seen, speaker, record) { interview, now in
            try interview.pause(at: now)
            return nil
        }.stored
    }

    public func resume(_ id: String, seen: ExpectedVersion = .any, by speaker: Participant, record: ChangeRecorder) async throws -> Answer {
        try await advance(id, seen, speaker, record) { interview, now in try interview.resume(at: now) }
    }

    /// Ends it. What was confirmed stays; cancelled twice, it is cancelled.
    public func cancel(_ id: String, seen: ExpectedVersion = .any, by speaker: Participant, record: ChangeRecorder) async throws {
        if try await one(id, of: speaker.personID).interview.status == .cancelled { return }
        _ = try await advance(id, seen, speaker, record) { interview, now in
            try interview.cancel(at: now)
            return nil
        }
    }

    private func loadHouse(_ speaker: Participant) async throws -> (HouseSnapshot, [DiscoveredDevice]) {
        (try await houseReader.house().seen(by: speaker.visibility), try await speaker.actuator.nearbyDevices())
    }

    /// One turn: it is read, changed, written where nobody else has written it meanwhile, and then what it owes is made.
    private func advance(
        _ id: String, _ seen: ExpectedVersion, _ speaker: Participant, _ record: ChangeRecorder,
        _ turn: (inout Interview, Date) throws -> Interview.Reply?
    ) async throws -> Answer {
        let person = speaker.personID
        var kept = try await one(id, of: person)
        guard seen.allows(kept.version) else { throw InterviewError.stale(kept) }
        let (picture, things) = try await loadHouse(speaker)
        let before = kept.interview.owed
        kept.interview.update(at: picture)
        kept.interview.discover(things)
        let reply: Interview.Reply?
        do { reply = try turn(&kept.interview, now()) } catch let refusal as Interview.ConversationError {
            throw InterviewError.refused(refusal)
        }
        // What was confirmed before was permitted before.
        let new = kept.interview.owed.filter { !before.contains($0) }
        if !new.isEmpty { try await speaker.actuator.authorize(new) }
        let (interview, version, text) = (kept.interview, kept.version, try Self.encode(kept.interview))
        let isWritten = try await store.write { db in
            guard try InterviewRecords.update(interview, text, of: person, seen: version, in: db) else { return false }
            try Self.recordChange(interview, of: person, record, in: db)
            return true
        }
        guard isWritten else { throw InterviewError.busy }
        kept.version += 1
        var answer = Answer(stored: kept, text: reply?.text ?? "", candidates: reply?.candidates ?? [])
        // Whoever ends it keeps what they confirmed, and is not kept by what cannot be made.
        if interview.status != .paused, !interview.owed.isEmpty { try await createDevices(interview.owed, &answer, speaker, record) }
        return answer
    }

    // MARK: Making

    /// Has the devices made that are owed, and writes down that they are there.
    private func createDevices(_ owed: [Interview.DeviceDraft], _ answer: inout Answer, _ speaker: Participant, _ record: ChangeRecorder)
        async throws
    {
        let (id, person, connected) = (answer.stored.interview.id, speaker.personID, await speaker.actuator.connectedIntegrations())
        var made: [(device: Interview.DeviceDraft, taken: Interview.CreatedDevice)] = []
        var hindered: [(device: Interview.DeviceDraft, by: Interview.CreationError)] = []
        for device in owed {
            var taken: Interview.CreatedDevice
            do {
                taken = try await speaker.actuator.createDevice(device, key: "\(id):\(device.candidateID):\(device.number)")
            } catch let hindrance as Interview.CreationError {
                hindered.append((device, hindrance))
                continue
            }
            if taken.status == .pendingAuth {
                taken.nextSteps += answer.stored.interview.nextSteps(for: device, connected: connected)
            }
            made.append((device, taken))
        }
        let (all, left, moment) = (made, hindered, now())
        let (kept, words) = try await store.write { db in
            guard var kept = try InterviewRecords.one(id, of: person, db) else { throw InterviewError.notFound }
            for (device, taken) in all {
                try kept.interview.recordCreation(taken.deviceID, of: device.candidateID, number: device.number, at: moment)
            }
            let words = kept.interview.outcomeText(of: all.map(\.taken), hindered: left)
            kept.interview.discardUncreated()
            kept.interview.appendHouseMessage(words, at: moment)
            let text = try Self.encode(kept.interview)
            _ = try InterviewRecords.update(kept.interview, text, of: person, seen: kept.version, in: db)
            kept.version += 1
            try Self.recordChange(kept.interview, of: person, record, in: db)
            return (kept, words)
        }
        answer.stored = kept
        answer.createdDevices = all.map(\.taken)
        answer.text = [answer.text, words].filter { !$0.isEmpty }.joined(separator: " ")
    }

    // MARK: Forgetting

    /// Forgets what somebody who lives here no more has said.
    public func erase(person personID: String) async throws {
        try await store.write { try $0.execute(sql: "DELETE FROM interviews WHERE person_id = ?", arguments: [personID]) }
    }

    /// Forgets what everybody else has said.
    func erase(except people: Set<String>) async throws {
        // Where nobody lives yet, nobody has left.
        guard !people.isEmpty, try await store.read({ try InterviewRecords.hasOthers(than: people, $0) }) else { return }
        try await store.write { try InterviewRecords.deleteAll(except: people, in: $0) }
    }

    private static func encode(_ interview: Interview) throws -> String { String(decoding: try interview.archived(), as: UTF8.self) }

    private static func recordChange(_ interview: Interview, of personID: String, _ record: ChangeRecorder, in db: Database) throws {
        try record(
            .interviewChanged, subject: interview.id,
            data: [
                "person_id": .string(personID), "status": .string(interview.status.rawValue),
                "current_phase": .string(interview.phase.rawValue),
            ], in: db)
    }
}
