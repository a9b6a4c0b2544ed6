/// The commands of an entity on a broker, by the members of its announcement that name them.
///
/// Two wirings that are equal move the same thing. Names, availability and how a state is read are no part of one.
public struct EntityCommandTopics: Codable, Hashable, Sendable {
    /// The members that say how it is told to open, or to do anything that might, and on which topic its state is told.
    public var opening: [String: String]
    /// The members that say how it is told the rest: to lock, to close, to stop.
    public var harmless: [String: String]
    /// The topics on which it is told anything, in order.
    public var topics: [String]

    public init(opening: [String: String], harmless: [String: String] = [:], topics: some Sequence<String>) {
        self.opening = opening
        self.harmless = harmless
        self.topics = Set(topics).sorted()
    }
}
