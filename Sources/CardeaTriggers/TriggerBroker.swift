import CardeaSecurity

/// Publishes messages on a broker. `CardeaTriggers` implements it; an app may bring its own.
public protocol TriggerBroker: Sendable {
    /// Publishes one message at quality 1, not retained, and returns when the broker has it. Connects first if there is no connection.
    ///
    /// Nothing may keep it and publish it later.
    func publish(_ payload: [UInt8], on topic: String, _ settings: TriggerSettings) async throws(TriggerError)
}

/// The reason why nothing was published, in the words that people who use such buttons know (Seed 002).
public enum TriggerError: String, Error, Hashable, Sendable, CaseIterable {
    case noEndpoint = "MQTT endpoint empty"
    case noCertificate = "certificate empty"
    case noKey = "private key empty"
    case unreadable = "certificate or private key incorrect"
    case mismatch = "certificate and private key mismatch"
    case noMessage = "message empty"
    case noTopic = "MQTT topic empty"
    case notConnected = "client not connected"
    case dropped = "message dropped"
    /// It may have gone out.
    case timeout = "timeout"
    case timestampKey = "timestamp key format incorrect"
    /// The person who tapped cancelled in time.
    case cancelled = "taken back"
}
