import CardeaAutomations
import CardeaHTTP
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaMindAdapter
import CardeaStore
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// `GET /devices` with 110 devices, compared with a bare route that returns the same bytes. The load comes from wrk, in its own process.
enum DeviceListBenchmark {
    static func run(_ report: inout Report) async throws {
        print("GET /devices, 110 devices, 8 connections")
        let (list, bare) = try await DoorCommandBenchmark.inFolder { folder in
            let store = try Store(folder: folder)
            var logger = Logger(label: "benchmark")
            logger.logLevel = .critical
            let hub = try await Hub(store: store, sealing: .random(), logger: logger)
            for index in 0..<110 { try await hub.devices.announce(lamp(index)) }
            guard let token = try await hub.house.newClaimToken() else { preconditionFailure("a new house has no owner") }
            let tokens = try await hub.people.claim(
                .init(
                    token: token, username: "owner", password: Secret("correct horse battery"), name: nil, houseName: "House",
                    timeZone: "UTC"),
                origin: .house)
            let automations = try Automations(of: hub, logger: logger)
            let door = try HubApplication(
                hub: hub, mind: try Mind(of: hub, automations: automations, logger: logger), automations: automations,
                settings: HTTPSettings(hosts: []), address: CurrentPublicURL())
            return try await serve(hub, door, tokens.access.reveal(), logger)
        }
        report.figure("the hub's list", list, "/s")
        report.figure("the same bytes from a bare route", bare, "/s")
        report.ratio("devices_list_to_bare_route", list / bare)
    }

    private static func serve(_ hub: Hub, _ door: HubApplication, _ token: String, _ logger: Logger) async throws -> (Double, Double) {
        let ports = AsyncStream<(String, Int)>.makeStream()
        let application = door.application(listen: .hostname("127.0.0.1", port: 0), logger: logger) {
            ports.continuation.yield(("hub", $0.localAddress?.port ?? 0))
        }
        let bytes = Mutex(ByteBuffer())
        let router = Router()
        router.get("/list") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: bytes.withLock { $0 }))
        }
        let bare = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { ports.continuation.yield(("bare", $0.localAddress?.port ?? 0)) }, logger: logger)
        let group = ServiceGroup(configuration: .init(services: hub.services + [application, bare], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var known: [String: Int] = [:]
            for await (name, port) in ports.stream {
                known[name] = port
                if known.count == 2 { break }
            }
            let url = "http://127.0.0.1:\(known["hub"] ?? 0)/api/v1/devices"
            let header = "Authorization: Bearer \(token)"
            let body = try await output("/usr/bin/env", ["curl", "-sf", "-H", header, url])
            precondition(body.count > 10_000, "the list is shorter than it should be")
            bytes.withLock { $0 = ByteBuffer(bytes: body) }
            // In turn, twice, so that a machine that slows down slows both.
            var rates: [[Double]] = [[], []]
            for _ in 0..<2 {
                rates[0].append(try await load(url, header))
                rates[1].append(try await load("http://127.0.0.1:\(known["bare"] ?? 0)/list", "X-Nothing: 1"))
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return (rates[0].reduce(0, +) / 2, rates[1].reduce(0, +) / 2)
        }
    }

    private static func load(_ url: String, _ header: String) async throws -> Double {
        let text = String(decoding: try await output("/usr/bin/env", ["wrk", "-t1", "-c8", "-d5s", "-H", header, url]), as: UTF8.self)
        guard !text.contains("Non-2xx"), let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Requests/sec") }),
            let rate = line.split(separator: " ").last.flatMap({ Double($0) })
        else { preconditionFailure("wrk could not measure: \(text)") }
        return rate
    }

    private static func output(_ program: String, _ arguments: [String]) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            // A separate thread: waiting for a process blocks, and the servers need the other threads.
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let process = Process()
                        process.executableURL = URL(filePath: program)
                        process.arguments = arguments
                        let pipe = Pipe()
                        process.standardOutput = pipe
                        try process.run()
                        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
                        process.waitUntilExit()
                        return data
                    })
            }
        }
    }

    private static func lamp(_ index: Int) -> Device {
        Device(
            id: "lamp-\(index)", name: "Lamp \(index)", deviceClass: .light, integration: "none", status: .online, stateChangedAt: Date(),
            entities: [
                Entity(
                    id: "light.lamp_\(index)", kind: .light, name: "Lamp \(index)", verbs: [.on, .off, .setBrightness],
                    state: EntityState("on", attributes: ["brightness": .number(Double(index % 100))]))
            ])
    }
}
