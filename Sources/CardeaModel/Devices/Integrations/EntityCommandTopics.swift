/// The commands of an entity on a broker, by the members of its announcement that name them.
///
/// Two wirings that are equal move the same thing. Names, availability and how a state is read are no part of one.
public struct EntityCommandTopics: Codable, Hashable, Sendable {
    /// The members that define how it is opened, or how anything that might open it is commanded, and its state topic.
    public var opening: [String: String]
    /// The members that define its other commands: lock, close, stop.
    public var harmless: [String: String]
    /// All its command topics, in order.
    public var topics: [String]

    public init(opening: [String: String], harmless: [String: String] = [:], topics: some Sequence<String>) {
        self.opening = opening
        self.harmless = harmless
        self.topics = Set(topics).sorted()
    }
}
