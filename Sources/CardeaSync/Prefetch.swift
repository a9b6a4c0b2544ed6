import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A part of an app whose answers can be read ahead (Seed 004, item 41).
public enum PrefetchedScreen: Hashable, Sendable, CaseIterable {
    /// What is a tap away from the devices: their sensors' last day, energy, the air.
    case devices
    /// Who waits, and each guest whose pass is not over.
    case guests
    /// The household, one's sessions and tokens, what the house is connected to.
    case settings
    /// The cameras, and the pictures of what was seen last.
    case events
    /// How the house feels and why, and what it remembers of late.
    case mind
}

extension Replica {
    /// Things of one kind that are read ahead at once; the rest is asked for when somebody looks.
    static let mostAhead = 12

    /// Memories that are read ahead: as many as a list of them shows when nobody says how many, so that it is the same question.
    static let mostMemories = 20

    /// Reads ahead what `screen` will ask for, one answer after the other, and only what this person may see and what is not here yet.
    ///
    /// It ends quietly where the house cannot be reached. Answers how many answers are at hand.
    @discardableResult
    public func prefetch(for screen: PrefetchedScreen) async throws -> Int {
        var count = 0
        do {
            let me = try await answer(.me).value
            for question in try await questions(for: screen, Set(me.permissions), answersAsks: me.canAnswerAsks == true) {
                try Task.checkCancellation()
                guard try await question.read(into: self) else { return count }
                count += 1
            }
        } catch ClientError.storage(let what) {
            throw ClientError.storage(what)
        } catch is ClientError {
            // Nobody has asked for it; whoever does hears why not.
        }
        return count
    }

    private func questions(for screen: PrefetchedScreen, _ rights: Set<Right>, answersAsks: Bool) async throws -> [any ReadAhead] {
        switch screen {
        case .devices:
            guard rights.contains(.viewEnergy) else { return [] }
            let day: TimeInterval = 86_400
            return [Question.energy(last: day), Question.environment(last: day)]
                + (try await sensors()).map { Question.history(of: $0, last: day) }
        case .guests:
            guard rights.contains(.inviteGuests) else { return answersAsks ? [Question.asks] : [] }
            return [Question.asks] + (try await openGuests()).map(Question.guest)
        case .settings:
            let own: [any ReadAhead] = [Question.sessions, Question.apiTokens]
            let people: [any ReadAhead] = rights.contains(.controlDevices) ? [Question.people] : []
            return own + people + (rights.contains(.modifySettings) ? [Question.integrations] : [])
        case .events:
            let cameras: [any ReadAhead] = [Question.cameras]
            return cameras + (try await seen()).map { Thumbnail(of: $0) }
        case .mind:
            var latest = Memories.Search()
            latest.limit = Self.mostMemories
            return [Question.mood, Question.memories(latest)]
        }
    }

    /// Devices of which a history can be asked without saying of which sensor.
    private func sensors() async throws -> [String] {
        let devices = try await devices().value.filter { device in
            device.entities.count { $0.isEnabled && $0.kind == .sensor } == 1
        }
        return devices.prefix(Self.mostAhead).map(\.deviceID)
    }

    /// What was seen last that has a picture.
    private func seen() async throws -> [String] {
        try await events().value.filter(\.hasThumbnail).prefix(Self.mostAhead).map(\.id)
    }

    private func openGuests() async throws -> [String] {
        let over: Set<GuestStatus> = [.expired, .revoked, .usedUp, .rejected]
        return try await guests().value.filter { !over.contains($0.status) }.prefix(Self.mostAhead).map(\.guestID)
    }
}

/// A question whatever its answer is, or a picture.
private protocol ReadAhead: Sendable {
    /// False where the house cannot be reached.
    func read(into replica: Replica) async throws -> Bool
}

extension Question: ReadAhead {
    fileprivate func read(into replica: Replica) async throws -> Bool {
        try await isReached { try await replica.answer(self).problem }
    }
}

private struct Thumbnail: ReadAhead {
    let eventID: String

    init(of eventID: String) { self.eventID = eventID }

    func read(into replica: Replica) async throws -> Bool {
        try await isReached { try await replica.thumbnail(of: eventID).problem }
    }
}

/// Whether the house was reached. What it does not have, not for this person, or not so that it can be read, is not read ahead.
private func isReached(_ read: () async throws -> ClientError?) async throws -> Bool {
    do {
        return try await read() == nil
    } catch let error as ClientError {
        switch error {
        case .api(let answer) where !answer.isRetryable: return true
        case .invalidResponse: return true
        default: throw error
        }
    }
}
