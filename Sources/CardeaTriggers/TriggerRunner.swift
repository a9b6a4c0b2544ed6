import CardeaSecurity
import Foundation

/// Turns links and presses into messages: checked, counted down, published once, and reported with the result.
///
/// Links that arrive while the app is not active wait until it is (Seed 002, item 29). A tap grants nothing but itself: nothing here
/// unlocks an app.
public actor TriggerRunner {
    /// An event for the log, without a link, a secret or a message (items 30 and hole 10).
    public enum Event: Hashable, Sendable {
        case received
        case refused(TriggerLinks.Refusal)
        case validated(index: Int)
        /// The person who tapped can cancel for this many seconds.
        case counting(index: Int, seconds: Int)
        case attempted(index: Int)
        case published(index: Int)
        case failed(index: Int, TriggerError)
    }

    /// The result to show and to feel.
    public struct Outcome: Hashable, Sendable {
        /// The title of the trigger; nil if it is not known.
        public let title: String?
        public let isDone: Bool
        /// The reason, if it failed.
        public let message: String?
        public let feedback: HapticPattern
    }

    private let broker: any TriggerBroker
    private let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void
    private let log: @Sendable (Event) -> Void
    private let storeUsedLinks: @Sendable (UsedLinkStore) throws -> Void
    private var links: TriggerLinks
    private var isActive: Bool
    private var waiting: [UUID: CheckedContinuation<Void, Never>] = [:]
    private var taps: [Int: Task<Void, any Error>] = [:]

    /// - Parameters:
    ///   - used: the used links, as `keep` last got them.
    ///   - isActive: true if the app is in the foreground when it starts.
    ///   - log: called for each step.
    ///   - keep: stores the used links, if they outlive the app, before one fires anything. An error of it stops the action.
    public init(
        broker: any TriggerBroker, used: UsedLinkStore, isActive: Bool = true, now: @escaping @Sendable () -> Date = { Date() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        log: @escaping @Sendable (Event) -> Void = { _ in },
        keep: @escaping @Sendable (UsedLinkStore) throws -> Void
    ) {
        self.broker = broker
        self.isActive = isActive
        self.now = now
        self.sleep = sleep
        self.log = log
        self.storeUsedLinks = keep
        links = TriggerLinks(used: used)
    }

    /// Sets whether the app is in the foreground. Waiting actions continue; a countdown is cancelled when the app leaves the foreground.
    public func setActive(active: Bool) {
        isActive = active
        if active {
            let those = waiting.values
            waiting = [:]
            for one in those { one.resume() }
        } else {
            cancelCountdowns()
        }
    }

    /// Takes back whatever counts down.
    public func cancelCountdowns() {
        for tap in taps.values { tap.cancel() }
    }

    /// A link was opened, or a tag was read.
    public func open(_ link: String, _ settings: TriggerSettings) async -> Outcome {
        log(.received)
        while !isActive, !Task.isCancelled { await waitUntilActive() }
        let index: Int
        do {
            index = try redeem(link, settings)
        } catch {
            log(.refused(error))
            return Outcome(title: nil, isDone: false, message: error.rawValue, feedback: .failed)
        }
        log(.validated(index: index))
        return await fire(index, settings, isTap: true)
    }

    /// Kept before it fires: a phone that ends the app in between loses a tap, and never does it twice.
    private func redeem(_ link: String, _ settings: TriggerSettings) throws(TriggerLinks.Refusal) -> Int {
        let index = try links.redeem(link, settings, at: now())
        do { try storeUsedLinks(links.used) } catch { throw .useNotStored }
        return index
    }

    /// Waits until the app comes to the foreground, or the caller is cancelled.
    private func waitUntilActive() async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled || isActive { continuation.resume() } else { waiting[id] = continuation }
            }
        } onCancel: {
            Task { await self.removeWaiter(id) }
        }
    }

    private func removeWaiter(_ id: UUID) {
        waiting.removeValue(forKey: id)?.resume()
    }

    /// A button was pressed on the screen.
    public func press(_ index: Int, _ settings: TriggerSettings) async -> Outcome {
        await fire(index, settings, isTap: false)
    }

    private func fire(_ index: Int, _ settings: TriggerSettings, isTap: Bool) async -> Outcome {
        guard let action = settings.action(index) else {
            return Outcome(title: nil, isDone: false, message: TriggerLinks.Refusal.unknown.rawValue, feedback: .failed)
        }
        do throws(TriggerError) {
            if isTap, action.countdown > 0 { try await countDown(index, action.countdown) }
            if Task.isCancelled { throw .cancelled }
            log(.attempted(index: index))
            try await publish(action, settings)
        } catch {
            log(.failed(index: index, error))
            return Outcome(title: action.title, isDone: false, message: error.rawValue, feedback: error == .cancelled ? .none : .failed)
        }
        log(.published(index: index))
        return Outcome(title: action.title, isDone: true, message: nil, feedback: isTap ? .tapDone : .none)
    }

    private func countDown(_ index: Int, _ seconds: Int) async throws(TriggerError) {
        log(.counting(index: index, seconds: seconds))
        let sleep = sleep
        let clock = Task { try await sleep(.seconds(seconds)) }
        taps[index]?.cancel()
        taps[index] = clock
        defer { if taps[index] == clock { taps[index] = nil } }
        let isOver = await withTaskCancellationHandler {
            (try? await clock.value) != nil
        } onCancel: {
            clock.cancel()
        }
        if !isOver || clock.isCancelled { throw .cancelled }
    }

    private func publish(_ action: TriggerAction, _ settings: TriggerSettings) async throws(TriggerError) {
        if action.topic.isEmpty { throw .noTopic }
        if action.message.isEmpty { throw .noMessage }
        var text = action.message
        if let place = text.range(of: "%T") {
            guard let hex = settings.timestampKey, let key = try? TagKey(hex: hex),
                let moment = try? EncryptedTimestamp.make(at: now(), key)
            else { throw .timestampKey }
            text.replaceSubrange(place, with: moment)
        }
        if settings.endpoint.isEmpty { throw .noEndpoint }
        if settings.certificate.isEmpty { throw .noCertificate }
        if settings.privateKey.reveal().isEmpty { throw .noKey }
        try await broker.publish(Array(text.utf8), on: action.topic, settings)
    }
}
