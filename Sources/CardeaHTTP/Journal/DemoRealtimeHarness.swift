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
struct DemoRealtimeHarness: Sendable {
    let room: RealtimeRoom
    let wire: DemoWire
    let mind: MindHarness
    let resident: Principal

    func add(to table: RouteTable) {
        table.demo(.get, "/ws") { request, context in
            let upgrade = try WebSocketUpgrade(request, instead: "The devices as plain HTTP are at /api/devices.")
            let (socket, answer) = try await upgrade.accept(in: context, isKnown: true)
            socket.subscribed()
            room.host { await converse(socket) }
            return answer
        }
    }

    private func converse(_ socket: SocketHandle) async {
        let wanted = Wanted()
        await withDiscardingTaskGroup { group in
            group.addTask { await tell(socket, wanted) }
            for await text in socket.messages {
                do {
                    try await socket.send([try wire.frame(answer(text, wanted))])
                } catch {
                    socket.close(.unexpectedServerError, "the hub could not answer")
                }
            }
            group.cancelAll()
        }
    }

    private func tell(_ socket: SocketHandle, _ wanted: Wanted) async {
        do {
            guard let events = try await room.events(for: resident, isLocal: true) else {
                return socket.close(.unknown(4401), "not allowed any longer")
            }
            for await happened in events {
                // Looked up first: what is wanted may change meanwhile.
                let isOtherwise = wanted.has(.consciousness) && happened.contains { wire.isOfStanding($0) }
                let standing: ConsciousnessAnswer? = try await isOtherwise ? mind.standing(resident) : nil
                let told = happened.filter { wire.subject(of: $0).map { wanted.has($0) } ?? false }
                    .compactMap { wire.event($0, standing: standing) }
                let frames = try (wanted.takesBatches ? wire.together(told) : told).map { try wire.frame($0) }
                if !frames.isEmpty { try await socket.send(frames) }
            }
            socket.close(.unknown(1013), "come back, and read the devices anew")
        } catch {
            socket.close(.unexpectedServerError, "the hub could not answer")
        }
    }

    private func answer(_ text: String, _ wanted: Wanted) -> DemoEvent {
        guard let message = try? Wire.read(DemoMessage.self, from: Data(text.utf8)) else {
            return wire.answer("error", .problem("Say init or ping, as JSON."))
        }
        switch message.type {
        case "init":
            let subjects = DemoWire.Subject.named(message.data?.subscriptions)
            wanted.set(Set(subjects))
            return wire.greeting(subjects)
        case "ping": return wire.answer("pong", .nothing)
        default: return wire.answer("error", .problem("Say init or ping."))
        }
    }

    /// What this client wants to hear of; until it says so, everything.
    private final class Wanted: Sendable {
        private let subjects = Mutex<Set<DemoWire.Subject>?>(nil)

        /// Whoever says `init` knows all of the seed's events; of whoever says nothing only devices one by one are expected to be understood.
        var takesBatches: Bool { subjects.withLock { $0 != nil } }
        func has(_ subject: DemoWire.Subject) -> Bool { subjects.withLock { $0?.contains(subject) ?? true } }
        func set(_ wanted: Set<DemoWire.Subject>) { subjects.withLock { $0 = wanted } }
    }
}
