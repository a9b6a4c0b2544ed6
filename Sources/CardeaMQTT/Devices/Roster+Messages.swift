import CardeaHub
import CardeaModel
import Foundation

/// The states that messages tell.
extension Roster {
    /// The states that entities tell in one message.
    mutating func hear(_ heard: Heard, isFresh: Bool) -> [EntityReport] {
        var reports: [EntityReport] = []
        for id in listeners[heard.topic] ?? [] {
            heard.entityID = id
            guard let news = fixtures[id]?.hear(heard, isFresh: isFresh) else { continue }
            if let deviceID = news.awayOrBack {
                hearAgain(id)
                stirred.insert(deviceID)
                availabilityChanged.insert(deviceID)
            }
            guard let report = news.report else { continue }
            reports.append(report)
            if !redescribed.isEmpty { redescribed.remove(id) }
        }
        if redescribed.isEmpty, availabilityChanged.isEmpty { return reports }
        return reports + changedStates()
    }

    /// Asks the broker for what it keeps of an entity that came back: how it stood before says nothing of now.
    private mutating func hearAgain(_ id: String) {
        guard fixtures[id]?.wantsHearing == true else { return }
        fixtures[id]?.wantsHearing = false
        guard let fixture = fixtures[id] else { return }
        topicsChanged = true
        // Not whether it is there: a kept `offline` may be older than what was heard.
        let availability = Set(fixture.entity.availability.sources.map(\.reading.topic))
        toHear.formUnion(fixture.entity.wiring.readings.map(\.topic).filter { !availability.contains($0) })
    }

    /// The states that changed by something else than a message of their entity.
    mutating func changedStates() -> [EntityReport] {
        defer { redescribed = [] }
        let reports = settleAvailability()
        let told = Set(reports.map(\.entityID))
        // One that has not spoken yet is no reason to forget the state that the house keeps of it.
        let rest = redescribed.subtracting(told).sorted().compactMap { fixtures[$0] }.filter { $0.state.value != "unknown" }
        return reports + rest.map { EntityReport(entityID: $0.id, state: $0.shown, isFresh: false) }
    }

    /// Entities that went away while their device stayed, and those that came back.
    ///
    /// An entity of a device that is offline as a whole keeps its state: the device says that it is offline.
    private mutating func settleAvailability() -> [EntityReport] {
        guard !availabilityChanged.isEmpty else { return [] }
        defer { availabilityChanged = [] }
        var reports: [EntityReport] = []
        for deviceID in availabilityChanged.sorted() {
            let entityIDs = devices[deviceID]?.entityIDs ?? []
            let isThere = entityIDs.contains { fixtures[$0]?.isOnline == true }
            for id in entityIDs {
                guard var fixture = fixtures[id], let isOnline = fixture.isOnline, isOnline || isThere, fixture.isAway == isOnline else {
                    continue
                }
                fixture.isAway = !isOnline
                fixtures[id] = fixture
                reports.append(EntityReport(entityID: id, state: fixture.shown, isFresh: false))
            }
        }
        return reports
    }

    /// Ends the values whose time is over. One that expires is unknown until the next.
    mutating func expire(at now: Date) -> [EntityReport] {
        var reports: [EntityReport] = []
        let timed = fixtures.filter { $0.value.expiresAt != nil || $0.value.relapse != nil }
        for (id, fixture) in timed.sorted(by: { $0.key < $1.key }) {
            var fixture = fixture
            guard fixture.expire(at: now) else { continue }
            fixtures[id] = fixture
            reports.append(EntityReport(entityID: id, state: fixture.shown, isFresh: true))
        }
        return reports
    }

    /// The states of all entities that have ever told one.
    var standing: [EntityReport] {
        fixtures.values.filter { $0.shown != EntityState() }.sorted { $0.id < $1.id }
            .map { EntityReport(entityID: $0.id, state: $0.shown, isFresh: false) }
    }

    /// The connection is gone: nothing that was heard about availability counts any more.
    mutating func loseSight() {
        for id in fixtures.keys {
            fixtures[id]?.availability.forget()
            fixtures[id]?.wasHeard = false
            fixtures[id]?.forgetState()
        }
        subscribed = []
        topicsChanged = true
        stirred.formUnion(devices.keys)
    }

    // MARK: Pictures

    /// True where an image entity sends its pictures on this topic.
    func hasPictures(on topic: String) -> Bool {
        listeners[topic]?.contains { fixtures[$0]?.entity.wiring.picture?.topic == topic } ?? false
    }

    /// Keeps the picture in a message for the entities that send theirs on this topic. The state of each is the time of the picture.
    mutating func show(_ payload: [UInt8], on topic: String, at now: Date, isFresh: Bool) -> [EntityReport] {
        var reports: [EntityReport] = []
        for id in listeners[topic] ?? [] {
            guard let source = fixtures[id]?.entity.wiring.picture, source.topic == topic, !payload.isEmpty else { continue }
            do throws(LastPictures.Problem) {
                pictures.keep(try LastPictures.picture(in: payload, from: source, at: now), of: id)
                clearNote(at: topic)
                fixtures[id]?.state.value = now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
                if let fixture = fixtures[id] {
                    reports.append(EntityReport(entityID: id, state: fixture.shown, isFresh: isFresh && !fixture.isAway))
                }
            } catch {
                note("The picture at \(Text.quoted(topic)) \(error.words), so it is not shown.", at: topic)
            }
        }
        return reports
    }
}
