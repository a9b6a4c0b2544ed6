/// The reason why there is no connection, or no longer one, or why one message did not go out.
public enum MQTTConnectionError: Error, Hashable, Sendable {
    /// No server at that address; the system's message.
    case unreachable(String)
    /// The name means nothing.
    case unknownHost
    /// No secure channel; OpenSSL's message.
    case tls(String)
    /// The server closed the connection instead of answering.
    case hungUp
    /// The broker answered no, with its reason code: 1 to 5 of MQTT 3.1.1, 128 and above of MQTT 5.
    case refused(code: Int32)
    /// The broker disconnected, with its MQTT 5 reason code.
    case dismissed(code: Int32)
    /// The connection broke.
    case lost(String)
    /// No answer in time. The request may have been carried out.
    case unanswered
    /// The library does not take these options or this message; its words.
    case invalid(String)
    /// Earlier bytes still wait to go out, so this message was not even tried.
    case congested
    /// Its time had passed when its turn came. Not sent.
    case tooLate
    /// We closed it.
    case closed
}
