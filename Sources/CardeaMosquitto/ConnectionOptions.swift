/// The options for connecting to one broker.
///
/// Certificates and keys are PEM text. They are passed to the library through memory that has no name in any file system.
public struct ConnectionOptions: Sendable {
    public var host: String
    public var port: Int
    /// Nil speaks plain TCP.
    public var tls: TLS?
    public var username: String?
    public var password: String?
    public var clientID: String
    /// The message that the broker publishes if the connection ends without a DISCONNECT.
    public var will: OutgoingMessage?
    /// MQTT 3.1.1 from the start. Otherwise MQTT 5, and 3.1.1 when the broker refuses it.
    public var onlyMQTT311 = false
    /// Seconds without traffic after which the library asks whether the broker is still there. libmosquitto takes 5 at least.
    public var keepAlive = 10
    /// The time within which the broker must answer once the socket is open.
    public var answerLimit: Duration = .seconds(10)
    /// The time for which bytes may stay unacknowledged on the network before the kernel gives the connection up. A cable pulled for longer
    /// than this delivers nothing late.
    public var unacknowledgedLimit: Duration = .seconds(4)
    /// The largest payload that is handed on, in bytes. A larger one arrives empty, with `isOversize`.
    public var payloadLimit = 256 * 1024
    /// The number of messages that wait for a slow reader. Beyond it the oldest are dropped, and counted.
    public var inboxLimit = 16_384

    public init(host: String, port: Int, clientID: String) {
        self.host = host
        self.port = port
        self.clientID = clientID
    }

    public struct TLS: Sendable {
        /// The authorities to trust; nil for the system's.
        public var caPEM: String?
        public var certificatePEM: String?
        public var keyPEM: String?

        public init(caPEM: String? = nil, certificatePEM: String? = nil, keyPEM: String? = nil) {
            self.caPEM = caPEM
            self.certificatePEM = certificatePEM
            self.keyPEM = keyPEM
        }
    }
}

extension ConnectionOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The broker's address, without credentials.
    public var description: String { "\(tls == nil ? "mqtt" : "mqtts")://\(host):\(port)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["broker": description]) }
}
