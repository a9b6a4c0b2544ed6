import CardeaDNSSD
import CardeaHub
import Foundation
import ServiceLifecycle

/// Looks for Home Assistants, HomeKit accessories and Matter devices on the local network while the hub serves.
public actor BonjourBrowser: Service, NetworkBrowser {
    /// Each needs a connection to the daemon, which limits them.
    private static let maximumConcurrentResolves = 4
    private static let timeout: Duration = .seconds(3)

    private let interface: UInt32
    private let now: @Sendable () -> Date
    private var registry = NearbyServiceRegistry()
    /// The kinds that the daemon can browse.
    private var browsableKinds: Set<NearbyService.Kind> = []
    private let resolveRequests: AsyncStream<Void>
    private let resolveRequest: AsyncStream<Void>.Continuation

    /// - Parameter interface: the one network that is searched; nil for all.
    public init(interface: UInt32?, now: @escaping @Sendable () -> Date) {
        self.interface = interface ?? DNSSD.anyInterface
        self.now = now
        (resolveRequests, resolveRequest) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func snapshot() -> NearbySnapshot {
        guard !browsableKinds.isEmpty else { return NearbySnapshot(sight: .unavailable) }
        return NearbySnapshot(sight: .looking, services: registry.services, isCut: registry.isTruncated)
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for kind in NearbyService.Kind.allCases { group.addTask { await self.browse(kind) } }
                group.addTask { await self.resolveAll() }
                group.addTask { await self.requestResolves() }
            }
        }
    }

    // MARK: Services

    private enum Outcome: Sendable {
        /// The daemon is not there, or has gone.
        case lost
        /// A service was left out for which there is room now.
        case again
    }

    private func browse(_ kind: NearbyService.Kind) async {
        var backoff = Backoff(base: .seconds(1), cap: .seconds(30))
        while !Task.isCancelled {
            let ending = await followSightings(for: kind)
            if browsableKinds.contains(kind) { backoff.reset() }
            registry.removeAll(kind)
            if ending == .lost { browsableKinds.remove(kind) }
            do { try await Task.sleep(for: backoff.next(random: .random(in: 0.5...1))) } catch { return }
        }
    }

    private func followSightings(for kind: NearbyService.Kind) async -> Outcome {
        let sightings = DNSSD.browse(type: kind.serviceType, interface: interface)
        return await withTaskGroup(of: Outcome.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do {
                    for try await sighting in sightings { await self.record(sighting, of: kind) }
                    return .lost
                } catch {
                    // Whatever the error is, the daemon reports no services any more.
                    return .lost
                }
            }
            group.addTask {
                do {
                    // A missing daemon answers at once, a running one does not.
                    try await Task.sleep(for: .seconds(1))
                    await self.markBrowsable(kind)
                    repeat { try await Task.sleep(for: .seconds(60)) } while await !self.hasRoomAgain(for: kind)
                    return .again
                } catch {
                    // Cancelled: the other task has its answer.
                    return .again
                }
            }
            return await group.next() ?? .lost
        }
    }

    private func record(_ sighting: DNSSD.BrowseEvent, of kind: NearbyService.Kind) {
        markBrowsable(kind)
        registry.recordSighting(sighting, of: kind, at: now())
        resolveRequest.yield()
    }

    private func markBrowsable(_ kind: NearbyService.Kind) { browsableKinds.insert(kind) }
    private func hasRoomAgain(for kind: NearbyService.Kind) -> Bool { registry.hasRoomAgain(for: kind) }

    // MARK: Addresses

    private func requestResolves() async {
        while (try? await Task.sleep(for: .seconds(15))) != nil { resolveRequest.yield() }
    }

    private func resolveAll() async {
        for await _ in resolveRequests {
            await withDiscardingTaskGroup { group in
                for _ in 0..<Self.maximumConcurrentResolves { group.addTask { await self.resolveNext() } }
            }
        }
    }

    private func resolveNext() async {
        while !Task.isCancelled, let name = registry.next(at: now()) {
            let service = await resolve(name)
            registry.recordAnswer(service, of: name, at: now())
        }
    }

    private func resolve(_ name: NearbyServiceRegistry.Key) async -> NearbyService? {
        guard let place = await Self.first(of: DNSSD.resolve(name.instance)) else { return nil }
        var address: String?
        if name.kind == .homeAssistant {
            // The machine's address shows whether the house is connected to it already.
            address = await Self.first(of: DNSSD.addresses(of: place.host, version: .v4, interface: name.instance.interface))
        }
        return NearbyService(name.kind, called: name.instance.name, at: place, address: address)
    }

    /// The first answer; nil if none comes in time.
    private static func first<Answer: Sendable>(of answers: AsyncThrowingStream<Answer, any Error>) async -> Answer? {
        await withTaskGroup(of: Answer?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                var answers = answers.makeAsyncIterator()
                return try? await answers.next()
            }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return nil
            }
            return await group.next() ?? nil
        }
    }
}
