#if canImport(CardeaMosquitto)
    import CardeaMosquitto
    import CardeaSecurity
    import Foundation

    /// Publishes straight to a broker, over mutual TLS, for an app without a hub.
    ///
    /// It connects when it is first asked, and stays connected until the settings change or the connection breaks. A broker that does not
    /// answer is handed nothing.
    public actor MosquittoTriggerBroker: TriggerBroker {
        /// The time limit for connecting when a tag has just woken the app.
        public static let connectLimit = Duration.seconds(15)

        /// A connection that exists or is being made; concurrent callers wait for the same one.
        private struct ConnectionAttempt {
            let id = UUID()
            let settings: ButtonBrokerSettings
            let opening: Task<MosquittoConnection, any Error>
        }

        private var attempt: ConnectionAttempt?

        public init() {}

        public func publish(_ payload: [UInt8], on topic: String, _ settings: TriggerSettings) async throws(TriggerError) {
            let (id, connection) = try await connection(settings)
            // A stalled broker would accept the message, and deliver it later.
            guard await connection.answers(within: .seconds(2)) else {
                await drop(id)
                throw connection.isOpen ? .timeout : .notConnected
            }
            let message = OutgoingMessage(topic: topic, payload: payload, quality: .atLeastOnce, expiry: 5)
            let code: Int32
            do throws(MQTTConnectionError) {
                code = try await connection.publish(message, notAfter: Date().addingTimeInterval(5))
            } catch {
                await drop(id)
                switch error {
                case .unanswered, .lost, .hungUp, .dismissed: throw .timeout
                case .tooLate, .congested: throw .dropped
                default: throw .notConnected
                }
            }
            // There is no subscriber, or the broker does not accept it.
            guard code == 0 else { throw .dropped }
        }

        /// Ends the connection, as when the app leaves the front.
        public func close() async {
            if let attempt { await drop(attempt.id) }
        }

        /// Ends that connection, if it is not another one by now.
        private func drop(_ id: UUID) async {
            guard let attempt, attempt.id == id else { return }
            self.attempt = nil
            attempt.opening.cancel()
            if case .success(let connection) = await attempt.opening.result { await connection.close() }
        }

        private func connection(_ settings: TriggerSettings) async throws(TriggerError) -> (UUID, MosquittoConnection) {
            let endpoint: ButtonBrokerSettings
            do {
                endpoint = try ButtonBrokerSettings(
                    host: settings.endpoint, port: settings.port, clientID: settings.clientID, certificatePEM: settings.certificate,
                    keyPEM: settings.privateKey, caPEM: settings.rootCA)
            } catch {
                // The same error names; any other error means "not connected".
                throw TriggerError(rawValue: error.rawValue) ?? .notConnected
            }
            // An earlier connection may be broken by now; one begun for this call is not tried twice.
            let before = attempt?.id
            while true {
                // Checked again after each wait: another caller may have begun one meanwhile, to another broker.
                if let attempt, !attempt.settings.isSame(as: endpoint) {
                    await drop(attempt.id)
                    continue
                }
                let next = attempt ?? ConnectionAttempt(settings: endpoint, opening: Self.open(endpoint))
                attempt = next
                if case .success(let connection) = await next.opening.result, connection.isOpen { return (next.id, connection) }
                await drop(next.id)
                guard next.id == before else { throw .notConnected }
            }
        }

        private static func open(_ endpoint: ButtonBrokerSettings) -> Task<MosquittoConnection, any Error> {
            var options = endpoint.options
            options.answerLimit = connectLimit
            return Task { [options] in try await MosquittoConnection.open(options) }
        }
    }

    extension ButtonBrokerSettings {
        fileprivate func isSame(as other: ButtonBrokerSettings) -> Bool {
            (host, port, clientID, certificatePEM, caPEM) == (other.host, other.port, other.clientID, other.certificatePEM, other.caPEM)
                && constantTimeEquals(keyPEM.digest, other.keyPEM.digest)
        }
    }
#endif
