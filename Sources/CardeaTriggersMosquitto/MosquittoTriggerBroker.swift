import CardeaMosquitto
import CardeaSecurity
import CardeaTriggers
import Foundation

/// Publishes straight to a broker, over mutual TLS, for an app without a hub.
///
/// It connects when it is first asked, stays connected until the settings change or the connection breaks, and never publishes anything late.
public actor MosquittoTriggerBroker: TriggerBroker {
    /// How long connecting may take when a tag has just woken the app.
    public static let connectLimit = Duration.seconds(15)

    private struct Line {
        let connection: MosquittoConnection
        let settings: EndpointSettings
    }

    private var line: Line?

    public init() {}

    public func publish(_ payload: [UInt8], on topic: String, _ settings: TriggerSettings) async throws(TriggerFailure) {
        let start = Date()
        let connection = try await connection(settings)
        let message = OutgoingMessage(topic: topic, payload: payload, quality: .atLeastOnce, expiry: 5)
        let deadline = start.addingTimeInterval(TimeInterval(Self.connectLimit.components.seconds) + 5)
        let code: Int32
        do throws(ConnectionFailure) {
            code = try await connection.publish(message, notAfter: deadline)
        } catch {
            await close()
            switch error {
            case .unanswered, .lost, .hungUp, .dismissed: throw .timeout
            case .tooLate, .congested: throw .dropped
            default: throw .notConnected
            }
        }
        // Nobody listens there, or the broker does not take it.
        guard code == 0 else { throw .dropped }
    }

    /// Ends the connection, as when the app leaves the front.
    public func close() async {
        let open = line
        line = nil
        await open?.connection.close()
    }

    private func connection(_ settings: TriggerSettings) async throws(TriggerFailure) -> MosquittoConnection {
        let endpoint: EndpointSettings
        do {
            endpoint = try EndpointSettings(
                host: settings.endpoint, port: settings.port, clientID: settings.clientID, certificatePEM: settings.certificate,
                keyPEM: settings.privateKey, caPEM: settings.rootCA)
        } catch {
            // The same words for the same problems; what the seed has no word for keeps it from connecting.
            throw TriggerFailure(rawValue: error.rawValue) ?? .notConnected
        }
        if let line, line.connection.isOpen, line.settings.isSame(as: endpoint) { return line.connection }
        await close()
        var options = endpoint.options
        options.answerLimit = Self.connectLimit
        do {
            let connection = try await MosquittoConnection.open(options)
            line = Line(connection: connection, settings: endpoint)
            return connection
        } catch {
            throw .notConnected
        }
    }
}

extension EndpointSettings {
    fileprivate func isSame(as other: EndpointSettings) -> Bool {
        (host, port, clientID, certificatePEM, caPEM) == (other.host, other.port, other.clientID, other.certificatePEM, other.caPEM)
            && constantTimeEquals(keyPEM.digest, other.keyPEM.digest)
    }
}
