import CardeaModel
import Hummingbird
import HummingbirdCore

/// `?status=`, `?location=`, `?device_class=`, `?kind=`, `?integration=`, `?q=`, and `?limit=` with `?offset=`.
struct DeviceQuery {
    let filter: DeviceFilter
    /// Nil is all of them.
    let limit: Int?
    let offset: Int

    private static let everything = DeviceQuery()

    private init() { (filter, limit, offset) = (DeviceFilter(), nil, 0) }

    init(_ query: FlatDictionary<Substring, Substring>) throws {
        if query.isEmpty {
            self = Self.everything
            return
        }
        var filter = DeviceFilter()
        filter.status = try Self.value(query, ["status"], "must be online, offline, unknown or error")
        filter.deviceClass = try Self.value(
            query, ["device_class", "device_type", "type"], "must be one of \(DeviceClass.allCases.map(\.rawValue).joined(separator: ", "))"
        )
        filter.kind = try Self.value(
            query, ["kind", "entity_type"], "must be one of \(EntityKind.allCases.map(\.rawValue).joined(separator: ", "))")
        filter.location = Self.text(query, ["location", "room", "room_id"])
        filter.integration = Self.text(query, ["integration"])
        filter.search = Self.text(query, ["q"])
        self.filter = filter
        limit = try Self.number(query, "limit", 1...1000)
        offset = try Self.number(query, "offset", 0...1_000_000) ?? 0
    }

    /// The names that it may have.
    private static let names: Set<String> = [
        "status", "device_class", "device_type", "type", "kind", "entity_type", "location", "room", "room_id", "integration", "q", "limit",
        "offset",
    ]

    /// Refuses a name that means nothing here.
    static func rejectUnknownParameters(_ query: FlatDictionary<Substring, Substring>, of names: Set<String> = Self.names) throws {
        guard let stranger = query.first(where: { !names.contains(String($0.key)) }) else { return }
        throw APIResponseError.validation(
            String(stranger.key.prefix(64)), "is not a known parameter. Remove it, or use \(names.sorted().joined(separator: ", "))")
    }

    /// No filter and no page limit.
    var isUnfiltered: Bool { filter.isEmpty && limit == nil && offset == 0 }

    var appliedFilters: [String: String] {
        var applied: [String: String] = [:]
        applied["status"] = filter.status?.rawValue
        applied["location"] = filter.location
        applied["type"] = filter.deviceClass?.rawValue
        applied["kind"] = filter.kind?.rawValue
        applied["integration"] = filter.integration
        applied["q"] = filter.search
        return applied
    }

    /// Tells one selection from another in an entity tag.
    var fingerprint: String {
        if isUnfiltered { return "" }
        let page = [limit.map(String.init) ?? "", String(offset)]
        let words = appliedFilters.sorted { $0.key < $1.key }.flatMap { [$0.key, "\($0.value.utf8.count)", $0.value] } + page
        return String(words.joined(separator: "~").utf8.reduce(UInt64(5381)) { ($0 &* 33) ^ UInt64($1) }, radix: 36)
    }

    func page(_ devices: [Device]) -> ArraySlice<Device> {
        let rest = devices.dropFirst(offset)
        return limit.map { rest.prefix($0) } ?? rest
    }

    private static func text(_ query: FlatDictionary<Substring, Substring>, _ names: [String]) -> String? {
        names.lazy.compactMap { query[$0[...]] }.first.map { String($0.prefix(128)) }
    }

    private static func value<Word: RawRepresentable<String>>(
        _ query: FlatDictionary<Substring, Substring>, _ names: [String], _ problem: String
    ) throws -> Word? {
        guard let text = text(query, names) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw APIResponseError.validation(names.first { query[$0[...]] != nil } ?? "", problem)
        }
        return word
    }

    static func number(
        _ query: FlatDictionary<Substring, Substring>, _ name: String, _ range: ClosedRange<Int>
    ) throws -> Int? {
        guard let text = query[name[...]] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw APIResponseError.validation(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
