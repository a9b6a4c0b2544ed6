import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation
import Observation

/// One device: its state, its actions, and their results.
@MainActor @Observable
public final class DeviceScreen {
    /// The progress of the last command; nil if none was sent from this screen.
    public private(set) var commandProgress: CommandProgress?

    private let deviceID: String
    private let replica: Replica
    private let environment: ClientEnvironment
    private let loader: ContentLoader<Content>

    private struct Content: Sendable {
        let device: DeviceAnswer?
        let zone: TimeZone
    }

    public init(_ deviceID: String, replica: Replica, environment: ClientEnvironment = .live) {
        self.deviceID = deviceID
        self.replica = replica
        self.environment = environment
        loader = ContentLoader(replica, now: environment.now, isEmpty: { $0.device == nil }) { replica in
            let zone = await replica.houseClock(at: environment.now()).zone
            return try await replica.devices().map { devices in
                Content(device: devices.first { $0.deviceID == deviceID }, zone: zone)
            }
        }
    }

    /// `empty` if the house has no such device, or no longer has it.
    public var state: LoadState<DeviceAnswer> { loader.state.map(\.device).unwrapped() }

    /// `not known, last reported locked at 23:34`, after the known states; shown in place of the state. Nil if all states are known.
    public var lastReportText: String? {
        loader.state.content.flatMap { found in
            found.device.flatMap { LastReportText(HouseClock(zone: found.zone, now: environment.now())).text($0) }
        }
    }

    /// The actions that the device offers.
    public var availableActions: [AvailableAction] { state.content.map(AvailableAction.all) ?? [] }

    public var isSending: Bool {
        if case .sending = commandProgress { true } else { false }
    }

    /// Asks the house. A view calls this when it appears, on pull to refresh, and every 30 seconds while it is visible.
    public func refresh() async {
        await loader.refresh()
    }

    /// Sends a command and shows its result. While one is being sent, another is ignored.
    ///
    /// - Parameter transitionTime: milliseconds over which a light fades.
    public func control(_ ask: AvailableAction, value: JSONValue? = nil, transitionTime: Double? = nil) async {
        guard !isSending else { return }
        let words = CommandText(ask.verb, door: ask.door)
        commandProgress = .sending(words.sending)
        let command = DeviceCommand(
            deviceID, ask.verb.rawValue, entityID: ask.entityID, value: value, transitionTime: transitionTime,
            key: environment.makeIdempotencyKey())
        do {
            switch try await replica.control(command) {
            case .completed(let outcome):
                commandProgress = Self.progress(of: outcome, words)
                await loader.refresh()
            case .queued(let entry): commandProgress = .queued(await text(of: entry))
            }
        } catch {
            let refusals = RefusalText(await replica.houseClock(at: environment.now()))
            // The caller was cancelled while the command was being sent.
            commandProgress = UserFacingError(error, words: refusals).map { .failed($0) } ?? .unknown(words.connectionLost)
        }
    }

    static func progress(of outcome: CommandOutcome, _ words: CommandText) -> CommandProgress {
        switch outcome {
        case .confirmed(let command): .confirmed(words.confirmed(command.newState?.state))
        case .waiting: .waiting(words.waiting)
        case .unknown(let command): .unknown(command == nil ? words.connectionLost : words.unknown)
        case .expired: .failed(UserFacingError(title: "Not done", text: words.expired, canRetry: true))
        case .failed(let command, let error):
            .failed(
                UserFacingError(
                    title: "Not done", text: words.failed(command?.reason ?? error.details["reason"]?.string), canRetry: true))
        }
    }

    private func text(of entry: OutboxEntry) async -> String {
        let clock = await replica.houseClock(at: environment.now())
        let until = entry.notAfter.map { " before \(clock.short($0)), and not after" } ?? ""
        return "The house cannot be reached. \(entry.operation.name) waits here, and is asked when the house can be reached\(until)."
    }
}
