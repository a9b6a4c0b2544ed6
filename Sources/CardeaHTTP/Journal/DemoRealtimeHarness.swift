import CardeaAPI
import CardeaHub
import CardeaSecurity
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOWebSocket
import Synchronization

/// `/ws` of the demo, for the seed's client: devices as they change, from the first moment, without a token and without a subscription.
struct DemoRealtimeHarness: Sendable {
    let room: RealtimeRoom
    let wire: DemoWire
    let resident: Principal

    /// What of the client's list exists here.
    private static let subjects = ["devices"]

    func add(to table: RouteTable) {
        table.demo(.get, "/ws") { request, context in
            let upgrade = try WebSocketUpgrade(request, instead: "The devices as plain HTTP are at /api/devices.")
            let (socket, answer) = try await upgrade.accept(on: context.channel)
            socket.subscribed()
            room.host { await converse(socket) }
            return answer
        }
    }

    private func converse(_ socket: SocketHandle) async {
        let isWanted = Wanted()
        await withDiscardingTaskGroup { group in
            group.addTask { await tell(socket, isWanted) }
            for await text in socket.messages {
                do {
                    try await socket.send([try wire.frame(answer(text, isWanted))])
                } catch {
                    socket.close(.unexpectedServerError, "the hub could not answer")
                }
            }
            group.cancelAll()
        }
    }

    private func tell(_ socket: SocketHandle, _ isWanted: Wanted) async {
        do {
            guard let events = try await room.events(for: resident, isLocal: true) else {
                return socket.close(.unknown(4401), "not allowed any longer")
            }
            for await event in events where isWanted.devices {
                if let event = wire.event(event) { try await socket.send([try wire.frame(event)]) }
            }
            socket.close(.unknown(1013), "come back, and read the devices anew")
        } catch {
            socket.close(.unexpectedServerError, "the hub could not answer")
        }
    }

    private func answer(_ text: String, _ isWanted: Wanted) -> DemoEvent {
        guard let message = try? Wire.read(DemoMessage.self, from: Data(text.utf8)) else {
            return wire.answer("error", .problem("Say init or ping, as JSON."))
        }
        switch message.type {
        case "init":
            let subjects = message.data?.subscriptions.map { wanted in Self.subjects.filter(wanted.contains) } ?? Self.subjects
            isWanted.set(devices: subjects.contains("devices"))
            let clientID = Base64URL.encode(Minting.randomBytes(9))
            return wire.answer("init_complete", .greeting(clientID: clientID, subscriptions: subjects))
        case "ping": return wire.answer("pong", .nothing)
        default: return wire.answer("error", .problem("Say init or ping."))
        }
    }

    /// Whether this client wants to hear of devices; until it says otherwise it does.
    private final class Wanted: Sendable {
        private let wanted = Atomic(true)

        var devices: Bool { wanted.load(ordering: .relaxed) }
        func set(devices: Bool) { wanted.store(devices, ordering: .relaxed) }
    }
}
