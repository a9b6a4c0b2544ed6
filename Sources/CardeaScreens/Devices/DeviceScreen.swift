import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation
import Observation

/// One device: how it stands, what it can be asked, and what became of asking.
@MainActor @Observable
public final class DeviceScreen {
    /// Where the last wish stands; nil where nothing was wished here yet.
    public private(set) var standing: WishStanding?

    private let deviceID: String
    private let replica: Replica
    private let surroundings: Surroundings
    private let look: HouseLook<Found>

    private struct Found: Sendable {
        let device: DeviceAnswer?
        let zone: TimeZone
    }

    public init(_ deviceID: String, replica: Replica, surroundings: Surroundings = .live) {
        self.deviceID = deviceID
        self.replica = replica
        self.surroundings = surroundings
        look = HouseLook(replica, now: surroundings.now, isEmpty: { $0.device == nil }) { replica in
            let zone = await replica.clock(at: surroundings.now()).zone
            return try await replica.devices().map { devices in
                Found(device: devices.first { $0.deviceID == deviceID }, zone: zone)
            }
        }
    }

    /// `empty` where the house has no such device, or has it no more.
    public var shown: Shown<DeviceAnswer> { look.shown.map(\.device).compacted() }

    /// `not known, last reported locked at 23:34`, after what is known of it, in the place of its state; nil where all of it is known.
    public var notKnown: String? {
        look.shown.content.flatMap { found in
            found.device.flatMap { ReportWords(HouseClock(zone: found.zone, now: surroundings.now())).text($0) }
        }
    }

    /// What it can be asked.
    public var asks: [DeviceAsk] { shown.content.map(DeviceAsk.all) ?? [] }

    public var isAsking: Bool {
        if case .asking = standing { true } else { false }
    }

    /// Asks the house. A view does so when it appears, when it is pulled, and every half minute while it is looked at.
    public func refresh() async {
        await look.refresh()
    }

    /// Asks, and says what came of it. One wish at a time: while one is asked, another is not heard.
    ///
    /// - Parameter transitionTime: milliseconds over which a light fades.
    public func control(_ ask: DeviceAsk, value: JSONValue? = nil, transitionTime: Double? = nil) async {
        guard !isAsking else { return }
        let words = WishWords(ask.verb, door: ask.door)
        standing = .asking(words.asking)
        let command = DeviceCommand(
            deviceID, ask.verb.rawValue, entityID: ask.entityID, value: value, transitionTime: transitionTime, key: surroundings.newKey())
        do {
            switch try await replica.control(command) {
            case .asked(let outcome):
                standing = Self.standing(of: outcome, words)
                await look.refresh()
            case .queued(let entry): standing = .queued(await text(of: entry))
            }
        } catch {
            let refusals = RefusalWords(await replica.clock(at: surroundings.now()))
            // Whoever asked has gone while the wish was on its way.
            standing = Problem(error, words: refusals).map { .notDone($0) } ?? .unsure(words.lost)
        }
    }

    static func standing(of outcome: CommandOutcome, _ words: WishWords) -> WishStanding {
        switch outcome {
        case .confirmed(let command): .done(words.done(command.newState?.state))
        case .waiting: .waiting(words.waiting)
        case .unknown(let command): .unsure(command == nil ? words.lost : words.unknown)
        case .expired: .notDone(Problem(title: "Not done", text: words.expired, canRetry: true))
        case .failed(let command, let error):
            .notDone(
                Problem(
                    title: "Not done", text: words.failed(command?.reason ?? error.details["reason"]?.string), canRetry: true))
        }
    }

    private func text(of entry: OutboxEntry) async -> String {
        let clock = await replica.clock(at: surroundings.now())
        let until = entry.notAfter.map { " before \(clock.short($0)), and not after" } ?? ""
        return "The house cannot be reached. \(entry.operation.name) waits here, and is asked when the house can be reached\(until)."
    }
}
