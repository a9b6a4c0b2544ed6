import CardeaAPI
import CardeaDNSSD
import CardeaHub
import Foundation
import Logging
import ServiceLifecycle

/// Announces the house on the local network, as `_cardea._tcp` and optionally under other types, while the hub serves: under the house's
/// name, again after a rename and after a restart of this machine's Bonjour daemon, and no longer once the hub stops.
public struct BonjourAnnouncer: Service {
    private let house: HomeAssistantExport
    private let interface: UInt32
    private let types: [String]
    private let sign: @Sendable (_ port: Int) -> HouseAdvertisement
    private let logger: Logger
    private let ports: AsyncStream<Int>
    private let port: AsyncStream<Int>.Continuation

    /// - Parameters:
    ///   - house: yields when its name may have changed.
    ///   - interface: the one network it is announced on; nil for all.
    ///   - isForArgusAI: whether it is announced as a phone written for Seed 003 looks for it, too.
    ///   - sign: what it says just now.
    public init(
        house: HomeAssistantExport, interface: UInt32?, isForArgusAI: Bool = false, logger: Logger,
        sign: @escaping @Sendable (_ port: Int) -> HouseAdvertisement
    ) {
        self.house = house
        types = [HouseAdvertisement.serviceType] + (isForArgusAI ? [HouseAdvertisement.argusAIServiceType] : [])
        self.interface = interface ?? DNSSD.anyInterface
        self.logger = logger
        self.sign = sign
        (ports, port) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The hub listens there from now on.
    public func didStartListening(at port: Int) { self.port.yield(port) }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            for await port in ports {
                await withDiscardingTaskGroup { group in
                    for type in types { group.addTask { await announce(type, port) } }
                }
            }
        }
    }

    private func announce(_ type: String, _ port: Int) async {
        var backoff = Backoff(base: .seconds(1), cap: .seconds(30))
        var isTold = false
        while !Task.isCancelled {
            guard case .lost(let error, let wasAnnounced) = await register(sign(port), type, port) else { continue }
            if wasAnnounced {
                backoff.reset()
                isTold = false
            }
            // Logged once; a machine without the daemon is a normal case.
            if !isTold {
                logger.notice(
                    "house not announced on the local network: no Bonjour daemon answers",
                    metadata: ["type": "\(type)", "error": "\(error)"])
            }
            isTold = true
            do { try await Task.sleep(for: backoff.next(random: .random(in: 0.5...1))) } catch { return }
        }
    }

    private enum Outcome: Sendable {
        /// The announcement has changed, or is no longer needed.
        case over
        case lost(any Error, wasAnnounced: Bool)
    }

    /// Announces until the sign is another, or the daemon has gone.
    private func register(_ sign: HouseAdvertisement, _ type: String, _ port: Int) async -> Outcome {
        var text = TXTRecord()
        for (key, value) in sign.txtRecord(for: type, port: port) { text.add(key, value) }
        let names = DNSSD.register(
            name: sign.instanceName, type: type, port: UInt16(clamping: port), text: text, interface: interface)
        // Subscribed before the announcement is read, so that no change is missed.
        let rings = house.changes()
        return await withTaskGroup(of: Outcome.self) { group in
            defer { group.cancelAll() }
            group.addTask { await followNames(to: names, type, port) }
            group.addTask {
                if self.sign(port) != sign { return .over }
                for await _ in rings where self.sign(port) != sign { break }
                return .over
            }
            return await group.next() ?? .over
        }
    }

    private func followNames(to names: AsyncThrowingStream<String, any Error>, _ type: String, _ port: Int) async -> Outcome {
        var wasAnnounced = false
        do {
            // Uses another name if a second house here has the same one.
            for try await _ in names {
                if !wasAnnounced {
                    logger.notice("house announced on the local network", metadata: ["type": "\(type)", "port": "\(port)"])
                }
                wasAnnounced = true
            }
            return .over
        } catch {
            return .lost(error, wasAnnounced: wasAnnounced)
        }
    }
}
