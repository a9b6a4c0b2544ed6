/// The reason why the session bus, or a program on it, could not be used.
enum DBusError: Error, Hashable {
    case noConnection(String)
    case noAnswer
    /// The other side's refusal, by the name it has on the bus.
    case refused(name: String)
    case malformed
}
