import CardeaAPI
import CardeaModel

/// `/asyncapi.json`, compared with the messages on a socket and on a broker.
public enum AsyncAPIValidator {
    private static let document = AsyncAPI.document

    /// The hub's action on a message.
    public enum Direction: String, CaseIterable, Sendable {
        case send = "send"
        case receive = "receive"
    }

    /// Differences from the contract in a frame that the hub sent on `/api/v1/realtime`.
    ///
    /// - Parameter isAfterInit: true if the client sent `init`, and receives the source contract's events.
    public static func problems(ofFrame frame: JSONValue, isAfterInit: Bool = false) -> [String] {
        let type = frame["type"]?.string ?? ""
        let name = isAfterInit ? "source_\(type)" : type
        guard let message = messages(of: "realtime", [.send]).first(where: { $0["name"]?.string == name }) else {
            return ["\(type) is not in the contract"]
        }
        return JSONSchemaValidator(document: document).problems(of: frame, message["payload"] ?? .null).map { "\(type) \($0)" }
    }

    /// Differences from the contract in a message on a broker. The channel is found by its topic.
    ///
    /// - Parameter way: the direction that the contract must give the message; nil if either is right.
    public static func problems(ofMessage payload: String, at topic: String, _ way: Direction? = nil) -> [String] {
        guard let name = channel(of: topic) else { return ["\(topic) is on no channel of the contract"] }
        return problems(ofMessage: payload, in: name, way).map { "\(topic) \($0)" }
    }

    /// The same for a channel whose topic is chosen elsewhere.
    public static func problems(ofMessage payload: String, in channel: String, _ way: Direction? = nil) -> [String] {
        let promised = messages(of: channel, way.map { [$0] } ?? Direction.allCases)
        let tries = promised.map { problems(of: payload, $0) }
        if tries.contains(where: \.isEmpty) { return [] }
        return promised.isEmpty
            ? ["is on \(channel), where nothing of the kind is said"] : tries.joined().map { "(\(channel)) \($0)" }
    }

    /// The channel whose address matches a topic with the most literal characters.
    private static func channel(of topic: String) -> String? {
        let fitting = (document["channels"]?.members ?? [:]).filter { fits(topic, $0.value["address"]?.string ?? "") }
        return fitting.max { literalLength($0.value) < literalLength($1.value) }?.key
    }

    /// The number of literal characters in an address.
    private static func literalLength(_ channel: JSONValue) -> Int {
        (channel["address"]?.string ?? "").replacing(/\{[^}]*\}/, with: "").count
    }

    private static func fits(_ topic: String, _ address: String) -> Bool {
        let said = topic.split(separator: "/", omittingEmptySubsequences: false)
        let named = address.split(separator: "/", omittingEmptySubsequences: false)
        // If one segment stands for the whole topic, any topic would match.
        guard said.count == named.count, named.count > 1 else { return false }
        return zip(said, named).allSatisfy { word, name in
            guard let brace = name.firstIndex(of: "{") else { return word == name }
            let start = name[..<brace]
            return word.hasPrefix(start) && word.count > start.count
        }
    }

    private static func messages(of channel: String, _ ways: [Direction]) -> [JSONValue] {
        ways.flatMap { document["operations"]?["\($0.rawValue)_\(channel)"]?["messages"]?.elements ?? [] }
            .compactMap { $0["$ref"]?.string }.compactMap { document.at($0) }
    }

    private static func problems(of payload: String, _ message: JSONValue) -> [String] {
        let shape = JSONSchemaValidator(document: document)
        let schema = message["payload"] ?? .null
        guard message["contentType"]?.string == "application/json" else { return shape.problems(of: .string(payload), schema) }
        guard let json = JSONValue.read(Array(payload.utf8)) else { return ["\(payload) is no JSON"] }
        return shape.problems(of: json, schema)
    }
}
