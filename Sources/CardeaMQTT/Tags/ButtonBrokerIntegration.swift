import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Logging
import ServiceLifecycle

/// A connection that buttons publish over, to a broker of their own. It takes no devices from there.
public actor ButtonBrokerIntegration: RunningIntegration, MessagePublisher {
    public static let name = ButtonPublication.Broker.endpoint.rawValue

    public nonisolated let integration = ButtonBrokerIntegration.name
    public nonisolated let healthUpdates: AsyncStream<IntegrationHealth>

    private let settings: ButtonBrokerSettings
    private let sink: any PublishingSink
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let randomJitter: @Sendable () -> Double
    private let healthContinuation: AsyncStream<IntegrationHealth>.Continuation
    private var backoff: Backoff
    private var currentHealth: IntegrationHealth
    private var connection: MosquittoConnection?
    private var confirmations = StateConfirmationTracker()

    public init(
        settings: ButtonBrokerSettings, sink: any PublishingSink, logger: Logger, backoff: Backoff = Backoff(),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.settings = settings
        self.sink = sink
        self.logger = logger
        self.backoff = backoff
        self.randomJitter = random
        self.now = now
        currentHealth = IntegrationHealth(status: .connecting, since: now())
        (healthUpdates, healthContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        healthContinuation.yield(currentHealth)
    }

    // MARK: Service

    public func run() async throws {
        await cancelWhenGracefulShutdown { await self.serve() }
        setHealth(.off, reason: nil)
    }

    private func serve() async {
        while !Task.isCancelled {
            let reason: String
            do {
                let connection = try await MosquittoConnection.open(settings.options)
                let start = ContinuousClock.now
                reason = await runConnection(connection).message
                // A broker that accepts a connection and drops it at once has not recovered yet.
                if ContinuousClock.now - start >= .seconds(10) { backoff.reset() }
            } catch {
                reason = error.message
            }
            if Task.isCancelled { return }
            setHealth(.failed, reason: reason)
            logger.warning("broker of the buttons is not reachable", metadata: ["reason": "\(reason)"])
            // An early wake-up means that it should end.
            try? await Task.sleep(for: backoff.next(random: randomJitter()))
        }
    }

    private func runConnection(_ connection: MosquittoConnection) async -> MQTTConnectionError {
        self.connection = connection
        setHealth(.connected, reason: nil)
        await sink.reportConnection(.endpoint, isUp: true)
        for await batch in connection.messages {
            for message in batch {
                for answer in confirmations.receive(message) { await answer.onReply() }
            }
        }
        self.connection = nil
        confirmations.connectionLost()
        await sink.reportConnection(.endpoint, isUp: false)
        if Task.isCancelled { await connection.close() }
        return await connection.end
    }

    private func setHealth(_ status: IntegrationHealth.Status, reason: String?) {
        if currentHealth.status != status { currentHealth.since = now() }
        currentHealth.status = status
        currentHealth.reason = reason
        healthContinuation.yield(currentHealth)
    }

    // MARK: DeviceBackend

    /// It has no devices: buttons ask for messages to be carried.
    public func perform(_ backendCommand: BackendCommand) async -> DispatchResult {
        .refused(reason: "the broker of buttons has no devices")
    }

    public func refresh(entityID: String) async {
        // These topics have no state.
    }

    public func health() async -> IntegrationHealth { currentHealth }

    // MARK: MessagePublisher

    public func publish(_ message: BrokerMessage) async -> PublishResult {
        guard let connection, connection.isOpen else { return .notConnected }
        if let answer = message.expectedReply {
            if !confirmations.topics.contains(answer.topic) {
                guard let codes = try? await connection.subscribe([answer.topic]), codes.allSatisfy({ $0 < 128 }),
                    self.connection === connection
                else {
                    return .refused("the broker does not allow reading the state topic")
                }
                confirmations.confirmSubscription(to: answer.topic)
            }
            confirmations.expect(answer, to: message.commandID)
        }
        // The connection carries nothing else, so the broker is pinged each time.
        let carriage = await connection.publish(message, isAwake: false, now: now)
        if case .refused = carriage, let answer = message.expectedReply { confirmations.cancel(message.commandID, answer.topic) }
        return carriage
    }
}
