import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The interviews of all people. Each belongs to one person and is stored after every message.
///
/// Confirmed devices are stored as owed before any is created, and ticked off once they exist. So a crash in between neither loses a device
/// nor creates one twice. A device that cannot be created now stays owed, and blocks nothing else.
public struct Interviews: Sendable {
    let store: Store
    let houseReader: any HouseReader
    let now: @Sendable () -> Date

    /// The most interviews that are stored for one person.
    public static let maximumPerPerson = 50

    /// The person who speaks, and the house as far as they may see it.
    public struct Participant: Sendable {
        public let personID: String
        public let visibility: RequesterVisibility
        public let actuator: any InterviewActuator

        public init(personID: String, visibility: RequesterVisibility, actuator: any InterviewActuator) {
            self.personID = personID
            self.visibility = visibility
            self.actuator = actuator
        }
    }

    public enum InterviewError: Error {
        /// There is no such interview, or it belongs to another person.
        case notFound
        case refused(Interview.ConversationError)
        /// The interview has changed since the speaker saw it.
        case stale(StoredInterview)
        /// Another message was stored at the same moment.
        case busy
    }

    /// The reply of the house, and the interview after it.
    public struct Answer: Sendable {
        public var stored: StoredInterview
        public var text: String
        /// The ids of the candidates that were added or changed.
        public var candidates: [String] = []
        public var createdDevices: [Interview.CreatedDevice] = []
    }

    // MARK: Reading

    public func all(of personID: String) async throws -> [InterviewSummary] {
        try await store.read { try InterviewRecords.all(of: personID, $0) }
    }

    public func one(_ id: String, of personID: String) async throws -> StoredInterview {
        guard let stored = try await store.read({ try InterviewRecords.one(id, of: personID, $0) }) else { throw InterviewError.notFound }
        return stored
    }

    // MARK: Conversation

    /// Starts an interview, or continues the one that is not over.
    ///
    /// A person who starts wants to talk, and most often has closed a screen or changed to another phone. They need not repeat what they
    /// have said, and are not refused either. To begin anew, the open interview is cancelled first.
    ///
    /// - Parameter id: the id of a new interview; unused if an open one is continued.
    public func start(id: String, by speaker: Participant, record: ChangeRecorder) async throws -> (answer: Answer, isNew: Bool) {
        let person = speaker.personID
        // If two screens start at once, the later one finds the interview of the earlier one.
        for _ in 0..<3 {
            if let open = try await store.read({ try InterviewRecords.open(of: person, $0) }) {
                let answer = try await continueOpen(with: open, speaker, record)
                if let answer { return (answer, false) }
                continue
            }
            let (snapshot, things) = try await loadHouse(speaker)
            let (interview, reply) = Interview.start(id: id, in: snapshot, discovered: things, at: now())
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

    /// The open interview, resumed if it was paused; nil if it is over by now.
    private func continueOpen(with open: StoredInterview, _ speaker: Participant, _ record: ChangeRecorder) async throws -> Answer? {
        let interview = open.interview
        guard interview.status == .active else {
            do {
                return try await resume(interview.id, by: speaker, record: record)
            } catch InterviewError.busy, InterviewError.notFound, InterviewError.refused { return nil }
        }
        // Opening it on another screen changes nothing: the last message of the house is repeated.
        let last = interview.conversation.last { $0.speaker == .house }?.text ?? ""
        return Answer(stored: open, text: last, candidates: interview.candidates.map(\.id))
    }

    /// Handles a message.
    ///
    /// - Parameters:
    ///   - seen: the version that the speaker saw.
    ///   - asking: returns the house's answer to a plain question; nil if it has none.
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

    /// Confirms and rejects candidates.
    ///
    /// - Parameters:
    ///   - chosen: candidates to confirm; nil for all open ones if none are rejected either.
    ///   - rejected: candidates to reject.
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

    /// Cancels the interview. Confirmed devices stay. A second call has no further effect.
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

    /// Runs one turn: reads the interview, changes it, stores it unless it was changed in the meantime, and then creates the owed devices.
    private func advance(
        _ id: String, _ seen: ExpectedVersion, _ speaker: Participant, _ record: ChangeRecorder,
        _ turn: (inout Interview, Date) throws -> Interview.Reply?
    ) async throws -> Answer {
        let person = speaker.personID
        var stored = try await one(id, of: person)
        guard seen.allows(stored.version) else { throw InterviewError.stale(stored) }
        let (snapshot, things) = try await loadHouse(speaker)
        let before = stored.interview.owed
        stored.interview.update(at: snapshot)
        stored.interview.discover(things)
        let reply: Interview.Reply?
        do { reply = try turn(&stored.interview, now()) } catch let refusal as Interview.ConversationError {
            throw InterviewError.refused(refusal)
        }
        // Earlier confirmations were authorised before.
        let new = stored.interview.owed.filter { !before.contains($0) }
        if !new.isEmpty { try await speaker.actuator.authorize(new) }
        let (interview, version, text) = (stored.interview, stored.version, try Self.encode(stored.interview))
        let isWritten = try await store.write { db in
            guard try InterviewRecords.update(interview, text, of: person, seen: version, in: db) else { return false }
            try Self.recordChange(interview, of: person, record, in: db)
            return true
        }
        guard isWritten else { throw InterviewError.busy }
        stored.version += 1
        var answer = Answer(stored: stored, text: reply?.text ?? "", candidates: reply?.candidates ?? [])
        // A person who ends an interview keeps the confirmed devices; one that cannot be created does not prevent the end.
        if interview.status != .paused, !interview.owed.isEmpty { try await createDevices(interview.owed, &answer, speaker, record) }
        return answer
    }

    // MARK: Creating devices

    /// Creates the owed devices, and records them.
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
        let (stored, words) = try await store.write { db in
            guard var stored = try InterviewRecords.one(id, of: person, db) else { throw InterviewError.notFound }
            for (device, taken) in all {
                try stored.interview.recordCreation(taken.deviceID, of: device.candidateID, number: device.number, at: moment)
            }
            let words = stored.interview.outcomeText(of: all.map(\.taken), hindered: left)
            stored.interview.discardUncreated()
            stored.interview.appendHouseMessage(words, at: moment)
            let text = try Self.encode(stored.interview)
            _ = try InterviewRecords.update(stored.interview, text, of: person, seen: stored.version, in: db)
            stored.version += 1
            try Self.recordChange(stored.interview, of: person, record, in: db)
            return (stored, words)
        }
        answer.stored = stored
        answer.createdDevices = all.map(\.taken)
        answer.text = [answer.text, words].filter { !$0.isEmpty }.joined(separator: " ")
    }

    // MARK: Erasure

    /// Erases the interviews of a person who no longer lives here.
    public func erase(person personID: String) async throws {
        try await store.write { try $0.execute(sql: "DELETE FROM interviews WHERE person_id = ?", arguments: [personID]) }
    }

    /// Erases the interviews of everyone else.
    func erase(except people: Set<String>) async throws {
        // An empty list means that the house has no residents yet, not that all have left.
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
