import CardeaAPI
import CardeaModel
import Foundation

/// What has changed since: the journal, a page at a time, as far as whoever asks may see it.
public struct Changes: Sendable {
    let caller: Caller

    /// The largest page.
    public static let most = 500

    /// Where the journal is now. Whoever reads everything else after asking this, and goes on from here, misses nothing.
    public func now() async throws(ClientError) -> Int64 {
        try await page([]).next
    }

    /// Throws `APIError` `cursor_too_old` where what came after `seq` is no longer kept, or never was: then everything is read anew.
    public func after(_ seq: Int64, limit: Int = most) async throws(ClientError) -> ChangesPage {
        try await page([("after", String(seq)), ("limit", String(limit))])
    }

    private func page(_ query: [(String, String?)]) async throws(ClientError) -> ChangesPage {
        let response = try await caller.answer(.get("api", "v1", "changes", query: query))
        // Whoever reads after this must not be given what was read before it.
        caller.line.reads.wrote()
        guard let page = JSONValue.read([UInt8](response.body)).flatMap(ChangesPage.init) else {
            throw .invalidResponse("its changes cannot be read")
        }
        return page
    }
}

public struct ChangesPage: Sendable {
    public let events: [ChangeEvent]
    /// Where to go on.
    public let next: Int64
    /// Whether there is more to be had at once.
    public let more: Bool

    public init(events: [ChangeEvent], next: Int64, more: Bool) {
        self.events = events
        self.next = next
        self.more = more
    }

    init?(_ json: JSONValue) {
        guard case .array(let changes)? = json["changes"], let next = json["next"]?.sequence, let more = json["more"]?.bool else {
            return nil
        }
        let events = changes.compactMap(ChangeEvent.init)
        guard events.count == changes.count else { return nil }
        self.init(events: events, next: next, more: more)
    }
}

/// One event of the journal. A name that a newer hub adds is carried like any other.
public struct ChangeEvent: Sendable {
    public let seq: Int64
    /// As in `RealtimeEvent`.
    public let name: String
    /// A device as it stands, the id of what changed, …
    public let data: JSONValue

    public init(seq: Int64, name: String, data: JSONValue) {
        self.seq = seq
        self.name = name
        self.data = data
    }

    init?(_ json: JSONValue) {
        guard let seq = json["seq"]?.sequence, let name = json["type"]?.string, let data = json["data"] else { return nil }
        self.init(seq: seq, name: name, data: data)
    }

    /// The event where this side knows it.
    public var event: RealtimeEvent? { RealtimeEvent(rawValue: name) }
}

extension JSONValue {
    /// A row of the journal.
    fileprivate var sequence: Int64? { number.flatMap { Int64(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil } }
}
