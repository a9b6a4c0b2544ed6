import CardeaAPI
import CardeaHub
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOWebSocket
import Synchronization

/// `/ws` of the demo, for the seed's client: devices, the house's mind and the interview as they change, from the first moment, without a
/// token and without a subscription.
struct DemoRealtimeController: Sendable {
    let broadcaster: RealtimeBroadcaster
    let encoder: SourceFormatEncoder
    let mind: MindController
    let resident: Principal

    func addRoutes(to table: RouteTable) {
        table.demo(.get, "/ws") { request, context in
            let upgrade = try WebSocketUpgrade(request, instead: "Without a WebSocket, use /api/devices.")
            let (socket, answer) = try await upgrade.accept(in: context, isKnown: true)
            socket.markSubscribed()
            broadcaster.runSession { await runSession(socket) }
            return answer
        }
    }

    private func runSession(_ socket: WebSocketHandle) async {
        let wanted = Subscription()
        await withDiscardingTaskGroup { group in
            group.addTask { await sendEvents(socket, wanted) }
            for await text in socket.messages {
                do {
                    try await socket.send([try encoder.frame(reply(text, wanted))])
                } catch {
                    socket.close(.unexpectedServerError, "internal error: see the hub's log")
                }
            }
            group.cancelAll()
        }
    }

    private func sendEvents(_ socket: WebSocketHandle, _ wanted: Subscription) async {
        do {
            guard let events = try await broadcaster.eventStream(for: resident, isLocal: true) else {
                return socket.close(.unknown(4401), "no longer allowed")
            }
            for await happened in events {
                // Read first, because the subscription may change meanwhile.
                let isOtherwise = wanted.contains(.consciousness) && happened.contains { encoder.isStatusUpdate($0) }
                let consciousness: ConsciousnessAnswer? = try await isOtherwise ? mind.consciousness(resident) : nil
                let visible = happened.filter { encoder.subject(of: $0).map { wanted.contains($0) } ?? false }
                    .compactMap { encoder.event($0, consciousness: consciousness) }
                let frames = try (wanted.acceptsBatches ? encoder.batched(visible) : visible).map { try encoder.frame($0) }
                if !frames.isEmpty { try await socket.send(frames) }
            }
            socket.close(.unknown(1013), "reconnect, then reload the devices")
        } catch {
            socket.close(.unexpectedServerError, "internal error: see the hub's log")
        }
    }

    private func reply(_ text: String, _ wanted: Subscription) -> DemoEvent {
        guard let message = try? WireFormat.read(DemoMessage.self, from: Data(text.utf8)) else {
            return encoder.reply("error", .error("The message is not JSON. Send init or ping."))
        }
        switch message.type {
        case "init":
            let subjects = SourceFormatEncoder.Subject.named(message.data?.subscriptions)
            wanted.set(Set(subjects))
            return encoder.greeting(subjects)
        case "ping": return encoder.reply("pong", .empty)
        default: return encoder.reply("error", .error("Unknown message. Send init or ping."))
        }
    }

    /// The subjects that this client subscribed to; everything until it subscribes.
    private final class Subscription: Sendable {
        private let subjects = Mutex<Set<SourceFormatEncoder.Subject>?>(nil)

        /// True once the client sent `init`: such a client knows all of the seed's events. Other clients can be expected to understand only
        /// single devices.
        var acceptsBatches: Bool { subjects.withLock { $0 != nil } }
        func contains(_ subject: SourceFormatEncoder.Subject) -> Bool { subjects.withLock { $0?.contains(subject) ?? true } }
        func set(_ wanted: Set<SourceFormatEncoder.Subject>) { subjects.withLock { $0 = wanted } }
    }
}
