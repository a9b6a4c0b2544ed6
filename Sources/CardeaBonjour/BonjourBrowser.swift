import CardeaDNSSD
import CardeaHub
import Foundation
import ServiceLifecycle

/// Looks for Home Assistants, HomeKit accessories and Matter devices on the network nearby, for as long as the hub serves.
public actor BonjourBrowser: Service, NearbyEyes {
    /// Each takes a line to the daemon, which has so many and no more.
    private static let askedAtOnce = 4
    private static let patience: Duration = .seconds(3)

    private let interface: UInt32
    private let now: @Sendable () -> Date
    private var neighbourhood = Neighbourhood()
    /// Kinds of which the daemon would tell.
    private var heard: Set<NearbyThing.Kind> = []
    private let turns: AsyncStream<Void>
    private let turn: AsyncStream<Void>.Continuation

    /// - Parameter interface: the one network it looks around on; nil for all.
    public init(interface: UInt32?, now: @escaping @Sendable () -> Date) {
        self.interface = interface ?? DNSSD.anyInterface
        self.now = now
        (turns, turn) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func view() -> NearbyView {
        guard !heard.isEmpty else { return NearbyView(sight: .unavailable) }
        return NearbyView(sight: .looking, things: neighbourhood.things, isCut: neighbourhood.isCut)
    }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for kind in NearbyThing.Kind.allCases { group.addTask { await self.watch(kind) } }
                group.addTask { await self.askAround() }
                group.addTask { await self.callTurns() }
            }
        }
    }

    // MARK: Who comes and goes

    private enum Ending: Sendable {
        /// The daemon is not there, or has gone.
        case lost
        /// Somebody was left out for whom there is room now.
        case again
    }

    private func watch(_ kind: NearbyThing.Kind) async {
        var backoff = Backoff(base: .seconds(1), cap: .seconds(30))
        while !Task.isCancelled {
            let ending = await listen(for: kind)
            if heard.contains(kind) { backoff.reset() }
            neighbourhood.forget(kind)
            if ending == .lost { heard.remove(kind) }
            do { try await Task.sleep(for: backoff.next(luck: .random(in: 0.5...1))) } catch { return }
        }
    }

    private func listen(for kind: NearbyThing.Kind) async -> Ending {
        let sightings = DNSSD.browse(type: kind.serviceType, interface: interface)
        return await withTaskGroup(of: Ending.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do {
                    for try await sighting in sightings { await self.hear(sighting, of: kind) }
                    return .lost
                } catch {
                    // Whatever it says of itself, it tells of nobody any more.
                    return .lost
                }
            }
            group.addTask {
                do {
                    // A daemon that is not there says so at once, and one that is there says nothing.
                    try await Task.sleep(for: .seconds(1))
                    await self.isThere(kind)
                    repeat { try await Task.sleep(for: .seconds(60)) } while await !self.hasRoomAgain(for: kind)
                    return .again
                } catch {
                    // Cancelled: the other half has its answer.
                    return .again
                }
            }
            return await group.next() ?? .lost
        }
    }

    private func hear(_ sighting: DNSSD.Sighting, of kind: NearbyThing.Kind) {
        isThere(kind)
        neighbourhood.hear(sighting, of: kind, at: now())
        turn.yield()
    }

    private func isThere(_ kind: NearbyThing.Kind) { heard.insert(kind) }
    private func hasRoomAgain(for kind: NearbyThing.Kind) -> Bool { neighbourhood.hasRoomAgain(for: kind) }

    // MARK: Where they stand

    private func callTurns() async {
        while (try? await Task.sleep(for: .seconds(15))) != nil { turn.yield() }
    }

    private func askAround() async {
        for await _ in turns {
            await withDiscardingTaskGroup { group in
                for _ in 0..<Self.askedAtOnce { group.addTask { await self.ask() } }
            }
        }
    }

    private func ask() async {
        while !Task.isCancelled, let name = neighbourhood.next(at: now()) {
            let thing = await place(name)
            neighbourhood.heard(thing, of: name, at: now())
        }
    }

    private func place(_ name: Neighbourhood.Name) async -> NearbyThing? {
        guard let place = await Self.first(of: DNSSD.resolve(name.instance)) else { return nil }
        var address: String?
        if name.kind == .homeAssistant {
            // Which machine it is tells whether the house is connected to it already.
            address = await Self.first(of: DNSSD.addresses(of: place.host, version: .v4, interface: name.instance.interface))
        }
        return NearbyThing(name.kind, called: name.instance.name, at: place, address: address)
    }

    /// The first answer; nil where none comes in time.
    private static func first<Answer: Sendable>(of answers: AsyncThrowingStream<Answer, any Error>) async -> Answer? {
        await withTaskGroup(of: Answer?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                var answers = answers.makeAsyncIterator()
                return try? await answers.next()
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            return await group.next() ?? nil
        }
    }
}
