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
    let senses: any Senses
    let now: @Sendable () -> Date

    /// Kept for each person.
    public static let most = 50

    /// In whose name something is said, and what of the house they may be told.
    public struct Speaker: Sendable {
        public let personID: String
        public let sight: Sight
        public let hands: any InterviewHands

        public init(personID: String, sight: Sight, hands: any InterviewHands) {
            self.personID = personID
            self.sight = sight
            self.hands = hands
        }
    }

    public enum Problem: Error {
        /// There is none, or it is somebody else's.
        case notFound
        case refused(Interview.Refusal)
        /// It is another than the speaker saw.
        case stale(KeptInterview)
        /// Somebody spoke at the same moment.
        case busy
    }

    /// What the house said, and how the conversation stands after it.
    public struct Answer: Sendable {
        public var kept: KeptInterview
        public var text: String
        /// Those that came or changed.
        public var candidates: [String] = []
        public var taken: [Interview.TakenIn] = []
    }

    // MARK: Looking

    public func all(of personID: String) async throws -> [InterviewSummary] {
        try await store.read { try InterviewRecords.all(of: personID, $0) }
    }

    public func one(_ id: String, of personID: String) async throws -> KeptInterview {
        guard let kept = try await store.read({ try InterviewRecords.one(id, of: personID, $0) }) else { throw Problem.notFound }
        return kept
    }

    // MARK: Talking

    /// Begins a conversation, or goes on with the one that is not over.
    ///
    /// Whoever starts wants to talk, and most often has closed a screen or taken up another phone: what they have said is not to be said
    /// again, and not to be refused either. To begin anew, the open one is cancelled first.
    ///
    /// - Parameter id: of the new one; not used where it goes on.
    public func start(id: String, by speaker: Speaker, record: Recorder) async throws -> (answer: Answer, isNew: Bool) {
        let person = speaker.personID
        // Two screens that start at once begin one conversation: the later one finds it.
        for _ in 0..<3 {
            if let open = try await store.read({ try InterviewRecords.open(of: person, $0) }) {
                let answer = try await goOn(with: open, speaker, record)
                if let answer { return (answer, false) }
                continue
            }
            let (picture, things) = try await look(speaker)
            let (interview, reply) = Interview.start(id: id, in: picture, discovered: things, at: now())
            let text = try Self.text(interview)
            let isFirst = try await store.write { db in
                guard try InterviewRecords.open(of: person, db) == nil else { return false }
                try InterviewRecords.insert(interview, text, of: person, in: db)
                try Self.tell(interview, of: person, record, in: db)
                return true
            }
            if isFirst { return (Answer(kept: KeptInterview(interview: interview, version: 1), text: reply.text), true) }
        }
        throw Problem.busy
    }

    /// The open one, taken up again where it was paused; nil where it is over by now.
    private func goOn(with open: KeptInterview, _ speaker: Speaker, _ record: Recorder) async throws -> Answer? {
        let interview = open.interview
        guard interview.status == .active else {
            do {
                return try await resume(interview.id, by: speaker, record: record)
            } catch Problem.busy, Problem.notFound, Problem.refused { return nil }
        }
        // Nothing changes by looking at it from another screen: it says again what it said last.
        let last = interview.conversation.last { $0.speaker == .house }?.text ?? ""
        return Answer(kept: open, text: last, candidates: interview.candidates.map(\.id))
    }

    /// Says something to it.
    ///
    /// - Parameters:
    ///   - seen: the version that the speaker saw.
    ///   - asking: what the house answers to a plain question; nil where it does not know.
    public func message(
        _ text: String, to id: String, seen: SeenVersion = .any, by speaker: Speaker, record: Recorder,
        asking: ((String) async throws -> String?)? = nil
    ) async throws -> Answer {
        if let asking, try await one(id, of: speaker.personID).interview.isAsked(text), let words = try await asking(text) {
            return try await talk(id, seen, speaker, record) { interview, now in try interview.pass(on: words, to: text, at: now) }
        }
        return try await talk(id, seen, speaker, record) { interview, now in try interview.take(text, at: now) }
    }

    /// Takes candidates in, and leaves others out.
    ///
    /// - Parameters:
    ///   - chosen: to be taken in; nil for all that are open, where none is to be left out either.
    ///   - rejected: to be left out.
    public func confirm(
        _ chosen: [String]?, reject rejected: [String] = [], of id: String, seen: SeenVersion = .any, by speaker: Speaker, record: Recorder
    ) async throws -> Answer {
        try await talk(id, seen, speaker, record) { interview, now in
            let all = chosen == nil && rejected.isEmpty
            return try interview.decide(confirm: all ? .all : chosen.map(Interview.Which.these), reject: .these(rejected), at: now)
        }
    }

    public func pause(_ id: String, seen: SeenVersion = .any, by speaker: Speaker, record: Recorder) async throws -> KeptInterview {
        try await talk(id, seen, speaker, record) { interview, now in
            try interview.pause(at: now)
            return nil
        }.kept
    }

    public func resume(_ id: String, seen: SeenVersion = .any, by speaker: Speaker, record: Recorder) async throws -> Answer {
        try await talk(id, seen, speaker, record) { interview, now in try interview.resume(at: now) }
    }

    /// Ends it. What was confirmed stays; cancelled twice, it is cancelled.
    public func cancel(_ id: String, seen: SeenVersion = .any, by speaker: Speaker, record: Recorder) async throws {
        if try await one(id, of: speaker.personID).interview.status == .cancelled { return }
        _ = try await talk(id, seen, speaker, record) { interview, now in
            try interview.cancel(at: now)
            return nil
        }
    }

    private func look(_ speaker: Speaker) async throws -> (HousePicture, [DiscoveredThing]) {
        (try await senses.house().seen(by: speaker.sight), try await speaker.hands.nearby())
    }

    /// One turn: it is read, changed, written where nobody else has written it meanwhile, and then what it owes is made.
    private func talk(
        _ id: String, _ seen: SeenVersion, _ speaker: Speaker, _ record: Recorder,
        _ turn: (inout Interview, Date) throws -> Interview.Reply?
    ) async throws -> Answer {
        let person = speaker.personID
        var kept = try await one(id, of: person)
        guard seen.allows(kept.version) else { throw Problem.stale(kept) }
        let (picture, things) = try await look(speaker)
        let before = kept.interview.owed
        kept.interview.look(at: picture)
        kept.interview.discover(things)
        let reply: Interview.Reply?
        do { reply = try turn(&kept.interview, now()) } catch let refusal as Interview.Refusal { throw Problem.refused(refusal) }
        // What was confirmed before was permitted before.
        let new = kept.interview.owed.filter { !before.contains($0) }
        if !new.isEmpty { try await speaker.hands.permit(new) }
        let (interview, version, text) = (kept.interview, kept.version, try Self.text(kept.interview))
        let isWritten = try await store.write { db in
            guard try InterviewRecords.update(interview, text, of: person, seen: version, in: db) else { return false }
            try Self.tell(interview, of: person, record, in: db)
            return true
        }
        guard isWritten else { throw Problem.busy }
        kept.version += 1
        var answer = Answer(kept: kept, text: reply?.text ?? "", candidates: reply?.candidates ?? [])
        // Whoever ends it keeps what they confirmed, and is not kept by what cannot be made.
        if interview.status != .paused, !interview.owed.isEmpty { try await make(interview.owed, &answer, speaker, record) }
        return answer
    }

    // MARK: Making

    /// Has the devices made that are owed, and writes down that they are there.
    private func make(_ owed: [Interview.NewDevice], _ answer: inout Answer, _ speaker: Speaker, _ record: Recorder) async throws {
        let (id, person, connected) = (answer.kept.interview.id, speaker.personID, await speaker.hands.connected())
        var made: [(device: Interview.NewDevice, taken: Interview.TakenIn)] = []
        var hindered: [(device: Interview.NewDevice, by: Interview.Hindrance)] = []
        for device in owed {
            var taken: Interview.TakenIn
            do {
                taken = try await speaker.hands.takeIn(device, key: "\(id):\(device.candidateID):\(device.number)")
            } catch let hindrance as Interview.Hindrance {
                hindered.append((device, hindrance))
                continue
            }
            if taken.status == .pendingAuth {
                taken.nextSteps += answer.kept.interview.nextSteps(for: device, connected: connected)
            }
            made.append((device, taken))
        }
        let (all, left, moment) = (made, hindered, now())
        let (kept, words) = try await store.write { db in
            guard var kept = try InterviewRecords.one(id, of: person, db) else { throw Problem.notFound }
            for (device, taken) in all {
                try kept.interview.created(taken.deviceID, of: device.candidateID, number: device.number, at: moment)
            }
            let words = kept.interview.outcome(of: all.map(\.taken), hindered: left)
            kept.interview.dropWhatIsOwed()
            kept.interview.tell(words, at: moment)
            let text = try Self.text(kept.interview)
            _ = try InterviewRecords.update(kept.interview, text, of: person, seen: kept.version, in: db)
            kept.version += 1
            try Self.tell(kept.interview, of: person, record, in: db)
            return (kept, words)
        }
        answer.kept = kept
        answer.taken = all.map(\.taken)
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
        try await store.write { try InterviewRecords.sweep(except: people, in: $0) }
    }

    private static func text(_ interview: Interview) throws -> String { String(decoding: try interview.archived(), as: UTF8.self) }

    private static func tell(_ interview: Interview, of personID: String, _ record: Recorder, in db: Database) throws {
        try record(
            .interviewChanged, subject: interview.id,
            data: [
                "person_id": .string(personID), "status": .string(interview.status.rawValue),
                "current_phase": .string(interview.phase.rawValue),
            ], in: db)
    }
}
