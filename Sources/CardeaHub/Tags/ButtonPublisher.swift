import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import Synchronization

/// Controls the devices behind publishing buttons: a command that the gate allowed becomes one message on a broker.
public final class ButtonPublisher: DeviceBackend, PublishingSink {
    public static let name = ButtonDevice.integration
    public let integration = ButtonPublisher.name

    let store: Store
    let sealing: SealingKey
    let devices: Devices
    let commands: Commands
    let environment: HubEnvironment
    let logger: Logger
    private let connectedSince = Mutex<[ButtonPublication.Broker: Date]>([:])

    init(store: Store, sealing: SealingKey, devices: Devices, commands: Commands, environment: HubEnvironment, logger: Logger) {
        self.store = store
        self.sealing = sealing
        self.devices = devices
        self.commands = commands
        self.environment = environment
        self.logger = logger
    }

    // MARK: Status

    func isConnected(_ way: ButtonPublication.Broker) -> Bool { connectedSince.withLock { $0[way] != nil } }

    public func reportConnection(_ way: ButtonPublication.Broker, isUp: Bool) async {
        let now = environment.now()
        connectedSince.withLock { $0[way] = isUp ? $0[way] ?? now : nil }
        // The caller's task may be cancelled.
        await Task { await setStatus(way, isUp ? .online : .offline) }.value
    }

    /// At the start no broker is connected, whatever the last run has written.
    func start() async {
        for way in ButtonPublication.Broker.allCases { await setStatus(way, .offline) }
    }

    private func setStatus(_ way: ButtonPublication.Broker, _ status: DeviceStatus) async {
        do {
            // Serialised after every button that is being created.
            let buttons = try await store.write { try ButtonRecords.all($0) }
            try await devices.reportAvailability(status, deviceIDs: buttons.filter { $0.publication?.via == way }.map(\.id))
        } catch {
            logger.error("publishing buttons could not be stored", metadata: ["error": "\(type(of: error))"])
        }
    }

    public func refresh(entityID: String) async {
        // It has no state that could be queried.
    }

    public func health() async -> IntegrationHealth {
        let since = connectedSince.withLock { $0.values.min() }
        return IntegrationHealth(status: since == nil ? .off : .connected, since: since ?? environment.now())
    }

    // MARK: Publishing

    public func perform(_ backendCommand: BackendCommand) async -> DispatchResult {
        do {
            return try await publish(backendCommand)
        } catch {
            logger.error("button could not be read", metadata: ["button": "\(backendCommand.deviceID)", "error": "\(type(of: error))"])
            return .refused(reason: "the button cannot be read")
        }
    }

    private func publish(_ backendCommand: BackendCommand) async throws -> DispatchResult {
        let found = try await store.read { [sealing] db -> (publication: ButtonPublication, keys: ButtonRecords.Keys)? in
            // Sends the action that was requested, not one that the button was changed to since.
            guard let button = try ButtonRecords.one(backendCommand.deviceID, db), let publication = button.publication, button.isEnabled,
                let command = try CommandRecords.one(backendCommand.commandID, db), button.changedAt <= command.acceptedAt
            else { return nil }
            return (publication, try ButtonRecords.keys(of: backendCommand.deviceID, by: sealing, db))
        }
        guard let (publication, keys) = found else { return .refused(reason: "the button was changed or switched off meanwhile") }
        var about: Logger.Metadata = [
            "button": "\(backendCommand.deviceID)", "command": "\(backendCommand.commandID)", "via": "\(publication.via.rawValue)",
        ]
        guard let publisher = commands.backend(publication.via.rawValue) as? any MessagePublisher else {
            logger.notice("button message not published: broker not connected", metadata: about)
            return dispatchResult(.notConnected, publication)
        }
        let message: BrokerMessage
        do {
            message = try self.message(publication, keys, for: backendCommand)
        } catch let fault as MessageEncodingError {
            about["reason"] = "\(fault.rawValue)"
            logger.error("button message not published", metadata: about)
            return .refused(reason: fault.rawValue)
        }
        logger.notice("publishing button message", metadata: about)
        let result = await publisher.publish(message)
        about["outcome"] = "\(result)"
        logger.notice("button message published, outcome unknown", metadata: about)
        return dispatchResult(result, publication)
    }

    private func dispatchResult(_ result: PublishResult, _ publication: ButtonPublication) -> DispatchResult {
        switch result {
        case .acknowledged: publication.stateTopic == nil ? .dispatchedWithoutReport : .dispatched
        // With a state topic, the device's report still decides.
        case .unacknowledged: publication.stateTopic == nil ? .uncertain(reason: PublishResult.timeout) : .dispatched
        case .refused(let reason): .refused(reason: reason)
        }
    }

    /// The reason why a button's message cannot be encoded.
    private enum MessageEncodingError: String, Error {
        case noTimestampKey = "timestamp key format incorrect"
        case noSigningKey = "the button has no key to sign with; make one and give it to the device"
    }

    /// - Throws: `MessageEncodingError`
    private func message(_ publication: ButtonPublication, _ keys: ButtonRecords.Keys, for backendCommand: BackendCommand) throws
        -> BrokerMessage
    {
        let now = environment.now()
        var text = publication.message
        if let place = text.range(of: ButtonPublication.timestampPlaceholder) {
            guard let key = keys.timestamp else { throw MessageEncodingError.noTimestampKey }
            text.replaceSubrange(place, with: try EncryptedTimestamp.make(at: now, key))
        }
        var payload = Array(text.utf8)
        if publication.isSigned {
            guard let key = keys.signing else { throw MessageEncodingError.noSigningKey }
            payload = Array(try CommandEnvelope.seal(text, id: backendCommand.commandID, at: now, device: publication.topic, key))
        }
        return BrokerMessage(
            topic: publication.topic, payload: payload, risk: publication.risk, commandID: backendCommand.commandID,
            notAfter: backendCommand.notAfter,
            answer: expectedReply(publication, for: backendCommand))
    }

    /// Returns the expected reply of the device: the configured text; for a signed message the command's id; otherwise any message.
    private func expectedReply(_ publication: ButtonPublication, for backendCommand: BackendCommand) -> BrokerMessage.ExpectedReply? {
        guard let topic = publication.stateTopic else { return nil }
        let (devices, logger) = (devices, logger)
        return BrokerMessage.ExpectedReply(topic: topic) { payload in
            if let word = publication.stateMessage { return payload == Array(word.utf8) }
            guard publication.isSigned else { return true }
            return (try? JSONDecoder().decode(SignedReply.self, from: Data(payload)))?.id == backendCommand.commandID
        } onReply: {
            do {
                try await devices.report([
                    EntityReport(entityID: backendCommand.entityID, state: EntityState("pressed"), answers: backendCommand.commandID)
                ])
            } catch {
                logger.error(
                    "button confirmation could not be stored",
                    metadata: ["command": "\(backendCommand.commandID)", "error": "\(type(of: error))"])
            }
        }
    }

    /// The reply of a device that checks envelopes, once it has done what one asked for.
    private struct SignedReply: Decodable {
        let id: String
    }
}
