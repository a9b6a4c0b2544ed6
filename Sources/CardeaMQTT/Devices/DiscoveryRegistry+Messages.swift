import CardeaHub
import CardeaModel
import Foundation

/// The states in messages.
extension DiscoveryRegistry {
    /// Returns the states that one message contains.
    mutating func receive(_ message: IncomingMessage, isFresh: Bool) -> [EntityReport] {
        var reports: [EntityReport] = []
        for id in listeners[message.topic] ?? [] {
            message.entityID = id
            guard let news = trackedEntities[id]?.receive(message, isFresh: isFresh) else { continue }
            if let deviceID = news.awayOrBack {
                requestRetainedMessages(id)
                devicesWithStatusChange.insert(deviceID)
                availabilityChanged.insert(deviceID)
            }
            guard let report = news.report else { continue }
            reports.append(report)
            if !redescribedEntities.isEmpty { redescribedEntities.remove(id) }
        }
        if redescribedEntities.isEmpty, availabilityChanged.isEmpty { return reports }
        return reports + changedStates()
    }

    /// Requests the retained messages of an entity that came back: its earlier state may be outdated.
    private mutating func requestRetainedMessages(_ id: String) {
        guard trackedEntities[id]?.needsRetainedMessage == true else { return }
        trackedEntities[id]?.needsRetainedMessage = false
        guard let fixture = trackedEntities[id] else { return }
        topicsChanged = true
        // Not its availability: a retained `offline` may be older than the latest message.
        let availability = Set(fixture.entity.availability.sources.map(\.stateTopic.topic))
        topicsToReread.formUnion(fixture.entity.mapping.stateTopics.map(\.topic).filter { !availability.contains($0) })
    }

    /// The states that changed by something else than a message of their entity.
    mutating func changedStates() -> [EntityReport] {
        defer { redescribedEntities = [] }
        let reports = collectAvailabilityChanges()
        let told = Set(reports.map(\.entityID))
        // A device without a report yet keeps the state that the house has stored for it.
        let rest = redescribedEntities.subtracting(told).sorted().compactMap { trackedEntities[$0] }.filter { $0.state.value != "unknown" }
        return reports + rest.map { EntityReport(entityID: $0.id, state: $0.reportedState, isFresh: false) }
    }

    /// Entities that went away while their device stayed, and those that came back.
    ///
    /// An entity of a device that is offline as a whole keeps its state: the device says that it is offline.
    private mutating func collectAvailabilityChanges() -> [EntityReport] {
        guard !availabilityChanged.isEmpty else { return [] }
        defer { availabilityChanged = [] }
        var reports: [EntityReport] = []
        for deviceID in availabilityChanged.sorted() {
            let entityIDs = devices[deviceID]?.entityIDs ?? []
            let isThere = entityIDs.contains { trackedEntities[$0]?.isOnline == true }
            for id in entityIDs {
                guard var fixture = trackedEntities[id], let isOnline = fixture.isOnline, isOnline || isThere, fixture.isAway == isOnline
                else {
                    continue
                }
                fixture.isAway = !isOnline
                trackedEntities[id] = fixture
                reports.append(EntityReport(entityID: id, state: fixture.reportedState, isFresh: false))
            }
        }
        return reports
    }

    /// Expires values. An expired state is unknown until the next report.
    mutating func expire(at now: Date) -> [EntityReport] {
        var reports: [EntityReport] = []
        let timed = trackedEntities.filter { $0.value.expiresAt != nil || $0.value.pendingReset != nil }
        for (id, fixture) in timed.sorted(by: { $0.key < $1.key }) {
            var fixture = fixture
            guard fixture.expire(at: now) else { continue }
            trackedEntities[id] = fixture
            reports.append(EntityReport(entityID: id, state: fixture.reportedState, isFresh: true))
        }
        return reports
    }

    /// The states of all entities that have ever reported one.
    var currentReports: [EntityReport] {
        trackedEntities.values.filter { $0.reportedState != EntityState() }.sorted { $0.id < $1.id }
            .map { EntityReport(entityID: $0.id, state: $0.reportedState, isFresh: false) }
    }

    /// The connection is gone: no report about availability counts any more.
    mutating func markDisconnected() {
        for id in trackedEntities.keys {
            trackedEntities[id]?.availability.reset()
            trackedEntities[id]?.hasReceivedMessage = false
            trackedEntities[id]?.resetState()
        }
        subscribed = []
        topicsChanged = true
        devicesWithStatusChange.formUnion(devices.keys)
    }

    // MARK: Pictures

    /// True if an image entity sends its pictures on this topic.
    func hasPictures(on topic: String) -> Bool {
        listeners[topic]?.contains { trackedEntities[$0]?.entity.mapping.picture?.topic == topic } ?? false
    }

    /// Keeps the picture in a message for the entities that send theirs on this topic. The state of each is the time of the picture.
    mutating func storePicture(_ payload: [UInt8], on topic: String, at now: Date, isFresh: Bool) -> [EntityReport] {
        var reports: [EntityReport] = []
        for id in listeners[topic] ?? [] {
            guard let source = trackedEntities[id]?.entity.mapping.picture, source.topic == topic, !payload.isEmpty else { continue }
            do throws(PictureCache.DecodingError) {
                pictures.store(try PictureCache.picture(in: payload, from: source, at: now), of: id)
                clearProblem(at: topic)
                trackedEntities[id]?.state.value = now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
                if let fixture = trackedEntities[id] {
                    reports.append(EntityReport(entityID: id, state: fixture.reportedState, isFresh: isFresh && !fixture.isAway))
                }
            } catch {
                setProblem("The picture at \(PayloadText.quoted(topic)) \(error.message), so it is not shown.", at: topic)
            }
        }
        return reports
    }
}
