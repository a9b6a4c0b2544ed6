import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

extension Replica {
    /// 50 MB hold about a thousand thumbnails.
    public static let defaultPictureCapacity = 50 << 20

    /// The house gives pictures a `max-age` of a day: a picture never changes, and its deletion is reported.
    static let pictureTTL: TimeInterval = 86_400

    /// The thumbnail of an event, JPEG. If the house cannot be reached, the stored one.
    ///
    /// A stored thumbnail is requested by its entity tag and not sent again.
    /// - Parameter age: the maximum age in seconds of the last request to the house; nil for one day.
    public func thumbnail(of eventID: String, atMost age: TimeInterval? = nil) async throws -> LatestAnswer<Data> {
        let (pictures, asked) = (PictureTable(sealing: store.sealing), environment.now())
        let mark = pictures.key(.thumbnail(of: eventID))
        let (cached, erasures) = try await store.read { (try pictures.find(mark, in: $0), try ReplicaErasure.count(in: $0)) }
        // If the clock was set back meanwhile, the age is not known.
        if let cached, abs(asked.timeIntervalSince(cached.askedAt)) < age ?? Self.pictureTTL {
            try await store.write { try pictures.touch(mark, in: $0) }
            return LatestAnswer(value: cached.jpeg, asOf: cached.askedAt, problem: nil)
        }
        do {
            let answer = try await client.events.thumbnail(of: eventID, unlessStill: cached?.tag)
            if let answer {
                let (picture, most) = (CachedPicture(jpeg: answer.jpeg, tag: answer.tag, askedAt: asked), pictureCapacity)
                try await store.write { db in
                    // A person erased meanwhile may be in the picture.
                    guard try ReplicaErasure.count(in: db) == erasures else { return }
                    try pictures.store(picture, as: mark, most: most, now: asked, in: db)
                }
                return LatestAnswer(value: answer.jpeg, asOf: asked, problem: nil)
            }
            guard let cached else { throw ClientError.invalidResponse("it answers 304 to a request without a stored copy") }
            try await store.write { try pictures.touch(mark, askedAt: asked, in: $0) }
            return LatestAnswer(value: cached.jpeg, asOf: asked, problem: nil)
        } catch let error as ClientError {
            if error.isPersonErased { try await eraseEverything() }
            if error.invalidatesCachedAnswer { try await store.write { try pictures.remove(mark, in: $0) } }
            guard error.isHubUnreachable, let cached else { throw error }
            try await store.write { try pictures.touch(mark, in: $0) }
            return LatestAnswer(value: cached.jpeg, asOf: cached.askedAt, problem: error)
        }
    }

    /// Events, newest first. If the house cannot be reached: the page as last answered or, if that is newer, the matches among the latest
    /// 100 events stored here.
    ///
    /// - Parameter age: as for `answer`.
    public func events(
        _ filter: Events.Filter, limit: Int = 30, cursor: String? = nil, atMost age: TimeInterval? = nil
    ) async throws -> LatestAnswer<EventsAnswer> {
        let question = CacheableQuery.events(filter, limit: limit, cursor: cursor)
        do {
            let answer = try await answer(question, atMost: age)
            guard let problem = answer.problem, cursor == nil, let latest = try await latest(filter, limit: limit, problem),
                latest.asOf > answer.asOf
            else { return answer }
            return latest
        } catch let problem as ClientError where problem.isHubUnreachable && cursor == nil {
            guard let latest = try await latest(filter, limit: limit, problem) else { throw problem }
            return latest
        }
    }

    /// The matches among the latest stored events; nil if none were ever read.
    private func latest(_ filter: Events.Filter, limit: Int, _ problem: ClientError) async throws -> LatestAnswer<EventsAnswer>? {
        let cached = try await events()
        guard let asOf = cached.asOf else { return nil }
        let found = cached.value.filter(filter.matches)
        let answer = EventsAnswer(
            events: Array(found.prefix(max(0, limit))), totalCount: found.count, hasMore: found.count > limit, nextOffset: nil,
            nextCursor: nil)
        return LatestAnswer(value: answer, asOf: asOf, problem: problem)
    }
}

extension Events.Filter {
    /// Returns whether the event matches, as far as this can be decided without the house, which knows more word endings.
    public func matches(_ event: EventSummary) -> Bool {
        if let cameraID, event.cameraID != cameraID { return false }
        if let type, event.smartDetectionType.rawValue != type.lowercased() { return false }
        if let incidentID, event.incidentID != incidentID { return false }
        if let from, event.timestamp < from { return false }
        if let to, event.timestamp > to { return false }
        guard let words else { return true }
        let there = [event.description, event.cameraName, event.smartDetectionType.rawValue].flatMap(Self.split)
        return Self.split(words).allSatisfy { word in
            there.contains { $0.hasPrefix(word) || ($0.count >= 3 && word.hasPrefix($0)) }
        }
    }

    private static func split(_ text: String) -> [Substring] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).split { !$0.isLetter && !$0.isNumber }
    }
}
