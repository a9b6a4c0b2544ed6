import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Logging
import ServiceLifecycle

/// A connection that buttons publish over, to a broker of their own. It takes no devices from there.
public actor EndpointIntegration: RunningIntegration, MessageCarrier {
    public static let name = Publication.Way.endpoint.rawValue

    public nonisolated let integration = EndpointIntegration.name
    public nonisolated let standings: AsyncStream<IntegrationHealth>

    private let settings: EndpointSettings
    private let desk: any PublishingDesk
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let luck: @Sendable () -> Double
    private let told: AsyncStream<IntegrationHealth>.Continuation
    private var backoff: Backoff
    private var standing: IntegrationHealth
    private var connection: MosquittoConnection?
    private var answers = AnswerWatch()

    public init(
        settings: EndpointSettings, desk: any PublishingDesk, logger: Logger, backoff: Backoff = Backoff(),
        luck: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.settings = settings
        self.desk = desk
        self.logger = logger
        self.backoff = backoff
        self.luck = luck
        self.now = now
        standing = IntegrationHealth(status: .connecting, since: now())
        (standings, told) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        told.yield(standing)
    }

    // MARK: Service

    public func run() async throws {
        await cancelWhenGracefulShutdown { await self.serve() }
        stand(.off, reason: nil)
    }

    private func serve() async {
        while !Task.isCancelled {
            let reason: String
            do {
                let connection = try await MosquittoConnection.open(settings.options)
                let start = ContinuousClock.now
                reason = await attend(connection).words
                // A broker that takes us and drops us at once is not well yet.
                if ContinuousClock.now - start >= .seconds(10) { backoff.reset() }
            } catch {
                reason = error.words
            }
            if Task.isCancelled { return }
            stand(.failed, reason: reason)
            logger.warning("The buttons' broker is away", metadata: ["reason": "\(reason)"])
            // Woken early, it is to end.
            try? await Task.sleep(for: backoff.next(luck: luck()))
        }
    }

    private func attend(_ connection: MosquittoConnection) async -> ConnectionFailure {
        self.connection = connection
        stand(.connected, reason: nil)
        await desk.carrier(.endpoint, isUp: true)
        for await batch in connection.messages {
            for message in batch {
                for answer in answers.hear(message) { await answer.heard() }
            }
        }
        self.connection = nil
        answers.lost()
        await desk.carrier(.endpoint, isUp: false)
        if Task.isCancelled { await connection.close() }
        return await connection.end
    }

    private func stand(_ status: IntegrationHealth.Status, reason: String?) {
        if standing.status != status { standing.since = now() }
        standing.status = status
        standing.reason = reason
        told.yield(standing)
    }

    // MARK: DeviceBackend

    /// It has no devices: buttons ask for messages to be carried.
    public func perform(_ order: DeviceOrder) async -> Handover { .refused(reason: "the broker of buttons has no devices") }

    public func refresh(entityID: String) async {
        // Nothing of it has a state.
    }

    public func health() async -> IntegrationHealth { standing }

    // MARK: MessageCarrier

    public func carry(_ message: CarriedMessage) async -> Carriage {
        guard let connection, connection.isOpen else { return .notConnected }
        if let answer = message.answer {
            if !answers.topics.contains(answer.topic) {
                guard let codes = try? await connection.subscribe([answer.topic]), codes.allSatisfy({ $0 < 128 }),
                    self.connection === connection
                else {
                    return .refused("the broker does not let us read the state topic")
                }
                answers.listens(to: answer.topic)
            }
            answers.expect(answer, to: message.commandID)
        }
        // Nothing else comes over this connection, so it is asked each time.
        let carriage = await connection.carry(message, isAwake: false, now: now)
        if case .refused = carriage, let answer = message.answer { answers.forget(message.commandID, answer.topic) }
        return carriage
    }
}
