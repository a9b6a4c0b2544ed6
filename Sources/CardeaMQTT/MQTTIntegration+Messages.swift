import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation

/// Reads what the broker sends: announcements, states and pictures.
extension MQTTIntegration {
    func take(_ batch: [ReceivedMessage], on connection: MosquittoConnection) async {
        var reports: [EntityReport] = []
        for message in batch {
            let message = bounded(message)
            await frigate?.hear(message)
            for answer in answers.hear(message) { await answer.heard() }
            if message.isOversize {
                oversized += 1
                continue
            }
            if await announcer?.takes(message) == true { continue }
            if message.topic == birthTopic, !message.isRetained, message.payload == Array("online".utf8) {
                // The first one is our own, which the broker sends back.
                if hearsItsBirth { hearsItsBirth = false } else { await announcer?.homeAssistantStarted() }
            }
            if let topic = DiscoveryTopic(message.topic, prefix: settings.discoveryPrefix) { roster.read(message.payload, at: topic) }
            reports += roster.hear(
                Heard(topic: message.topic, payload: message.payload, at: now(), isRetained: message.isRetained),
                isFresh: !message.isRetained)
            reports += roster.show(message.payload, on: message.topic, at: now(), isFresh: !message.isRetained)
        }
        reports += roster.changedStates()
        do throws(ConnectionFailure) {
            try await tell(roster.settle(at: now()), on: connection)
        } catch {
            // It is over, or it listens only in part; the next one asks for everything.
            await connection.close()
        }
        await hand(in: reports, onItsThread: true)
        await tellStatuses()
        await mendDrops(on: connection)
    }

    /// The message, or an empty one that is oversize where it has more bytes than its topic may.
    private func bounded(_ message: ReceivedMessage) -> ReceivedMessage {
        guard message.payload.count > limit(of: message.topic) else { return message }
        return ReceivedMessage(topic: message.topic, payload: [], isRetained: message.isRetained, isOversize: true)
    }

    /// The most bytes that a message on this topic may have.
    private func limit(of topic: String) -> Int {
        if DiscoveryTopic(topic, prefix: settings.discoveryPrefix) != nil { return KeptAnnouncements.limit }
        if roster.hasPictures(on: topic) { return LastPictures.messageLimit }
        return frigate?.topics.read(topic) == nil ? Self.payloadLimit : Frigate.pictureLimit
    }

    // MARK: For the integration's page

    public func announcements() async -> AnnouncementReport? { roster.report }

    public func announcement(at topic: String) async -> String? {
        roster.announcements[topic].map { AnnouncementMask.masked($0.payload) }
    }

    public func picture(of entityID: String) async -> Picture? { roster.pictures[entityID] }
}
