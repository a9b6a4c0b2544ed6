import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation

/// Reads what the broker sends: announcements, states and pictures.
extension MQTTIntegration {
    func process(_ batch: [ReceivedMessage], on connection: MosquittoConnection) async {
        var reports: [EntityReport] = []
        for message in batch {
            let message = bounded(message)
            await frigateListener?.receive(message)
            for answer in confirmations.receive(message) { await answer.onReply() }
            if message.isOversize {
                oversized += 1
                continue
            }
            if await discoveryPublisher?.handles(message) == true { continue }
            if message.topic == birthTopic, !message.isRetained, message.payload == Array("online".utf8) {
                // The first one is our own, which the broker sends back.
                if awaitsBirthMessage { awaitsBirthMessage = false } else { await discoveryPublisher?.homeAssistantStarted() }
            }
            if let topic = DiscoveryTopic(message.topic, prefix: settings.discoveryPrefix) { registry.apply(message.payload, at: topic) }
            reports += registry.receive(
                IncomingMessage(topic: message.topic, payload: message.payload, at: now(), isRetained: message.isRetained),
                isFresh: !message.isRetained)
            reports += registry.storePicture(message.payload, on: message.topic, at: now(), isFresh: !message.isRetained)
        }
        reports += registry.changedStates()
        do throws(MQTTConnectionError) {
            try await report(registry.collectChanges(at: now()), on: connection)
        } catch {
            // The subscription is incomplete or the connection is over; the next connection subscribes to everything.
            await connection.close()
        }
        await report(in: reports, onItsThread: true)
        await reportAvailability()
        await rereadDroppedStates(on: connection)
    }

    /// The message, or an empty one marked as oversize if it has more bytes than its topic may.
    private func bounded(_ message: ReceivedMessage) -> ReceivedMessage {
        guard message.payload.count > limit(of: message.topic) else { return message }
        return ReceivedMessage(topic: message.topic, payload: [], isRetained: message.isRetained, isOversize: true)
    }

    /// The most bytes that a message on this topic may have.
    private func limit(of topic: String) -> Int {
        if DiscoveryTopic(topic, prefix: settings.discoveryPrefix) != nil { return AnnouncementStore.limit }
        if registry.hasPictures(on: topic) { return PictureCache.messageLimit }
        return frigateListener?.topics.read(topic) == nil ? Self.payloadLimit : FrigateListener.pictureLimit
    }

    // MARK: For the integration's page

    public func announcements() async -> AnnouncementReport? { registry.report }

    public func announcement(at topic: String) async -> String? {
        registry.announcements[topic].map { AnnouncementMasker.masked($0.payload) }
    }

    public func picture(of entityID: String) async -> EntityPicture? { registry.pictures[entityID] }
}
