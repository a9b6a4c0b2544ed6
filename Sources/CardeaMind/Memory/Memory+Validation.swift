import CardeaModel
import Foundation

extension Memory {
    /// A day of grace: clocks differ.
    private static let clockTolerance: TimeInterval = 86_400
    public static let contentLimit = 4000
    public static let tagLimit = 32
    public static let deviceLimit = 64
    public static let detailLimit = 64

    /// The memory as it is stored. Throws the first invalid field. Implausible dates are refused too.
    public func checked(at now: Date) throws(FieldError) -> Memory {
        var memory = self
        memory.category = try Self.name(category, "category")
        memory.title = try Self.name(title, "title")
        memory.content = try Self.text(content)
        try Self.range(importance, 0...1, "importance")
        try Self.range(confidence, 0...1, "confidence")
        try Self.range(Double(accessCount), 0...1e9, "access_count")
        let moments = 0...(now.timeIntervalSince1970 + Self.clockTolerance)
        try Self.range(createdAt.timeIntervalSince1970, moments, "created_at")
        if let lastAccessed { try Self.range(lastAccessed.timeIntervalSince1970, moments, "last_accessed") }
        if let experience { try Self.range(experience.impactScore, -1...1, "experience.impact_score") }
        memory.tags = try Self.names(tags, limit: Self.tagLimit, "tags")
        memory.relatedDevices = try Self.names(relatedDevices, limit: Self.deviceLimit, "related_devices")
        guard details.count <= Self.detailLimit else { throw .tooMany(field: "details", Self.detailLimit) }
        var budget = 2000
        for (key, value) in details.sorted(by: { $0.key < $1.key }) {
            _ = try Self.name(key, "details")
            guard Self.fits(value, depth: 0, budget: &budget) else { throw .tooMany(field: "details", 2000) }
        }
        return memory
    }

    private static func name(_ text: String, _ field: String) throws(FieldError) -> String {
        do { return try Name.check(text) } catch { throw .name(field: field, error) }
    }

    /// Each name once, in the given order.
    private static func names(_ texts: [String], limit: Int, _ field: String) throws(FieldError) -> [String] {
        guard texts.count <= limit else { throw .tooMany(field: field, limit) }
        var names: [String] = []
        for (place, text) in texts.enumerated() {
            let name = try name(text, "\(field).\(place)")
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// A text of some sentences: by the rules of a name, but longer and over several lines.
    private static func text(_ text: String) throws(FieldError) -> String {
        guard text.count <= contentLimit, text.utf8.count <= contentLimit * 8 else { throw .name(field: "content", .tooLong) }
        var lines: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            // The rules of a description apply, which has at most 500 characters.
            var rest = line[...]
            while !rest.isEmpty {
                do { _ = try Name.checkDescription(String(rest.prefix(500))) } catch { throw .name(field: "content", error) }
                rest = rest.dropFirst(500)
            }
            lines.append(line.precomposedStringWithCanonicalMapping)
        }
        let stored = lines.joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
        guard !stored.isEmpty else { throw .name(field: "content", .empty) }
        return stored
    }

    private static func range(_ number: Double, _ range: ClosedRange<Double>, _ field: String) throws(FieldError) {
        // NaN is in no range.
        guard range.contains(number) else { throw .range(field: field, range) }
    }

    private static func fits(_ value: JSONValue, depth: Int, budget: inout Int) -> Bool {
        budget -= 1
        guard budget > 0, depth < 8 else { return false }
        switch value {
        case .null, .bool: return true
        case .number(let number): return number.isFinite
        case .string(let text):
            budget -= text.utf8.count / 64
            return text.utf8.count <= 4000 && budget > 0
        case .array(let values):
            for value in values where !fits(value, depth: depth + 1, budget: &budget) { return false }
            return true
        case .object(let members):
            for (key, value) in members where key.utf8.count > 400 || !fits(value, depth: depth + 1, budget: &budget) { return false }
            return true
        }
    }
}
