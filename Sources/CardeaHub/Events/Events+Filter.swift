import CardeaModel
import Foundation
import GRDB

extension Events {
    /// The events that a user asks for.
    public struct Filter: Hashable, Sendable {
        /// A camera, or a source of events without one.
        public var place: String?
        public var type: String?
        public var incidentID: String?
        /// From this moment on.
        public var from: Date?
        /// Up to and including this moment.
        public var to: Date?
        public var searchTerms: SearchTerms?

        public init(
            place: String? = nil, type: String? = nil, incidentID: String? = nil, from: Date? = nil, to: Date? = nil,
            words: SearchTerms? = nil
        ) {
            self.place = place
            self.type = type
            self.incidentID = incidentID
            self.from = from
            self.to = to
            self.searchTerms = words
        }

        var firstKey: Int64 { from.map { EventSortKey.first(at: $0.milliseconds) } ?? 0 }
        var endKey: Int64 { to.map { EventSortKey.first(at: $0.milliseconds) + EventSortKey.perMillisecond } ?? Int64.max }
        /// True if the daily counts can answer it.
        var usesDayCounts: Bool { searchTerms == nil && incidentID == nil }
    }

    /// Search words, in any order, in descriptions, kinds and camera names. Other endings of each word match too.
    public struct SearchTerms: Hashable, Sendable {
        private let phrases: [String]

        public static let maxWords = 8

        /// nil if there is no word in it, or more than eight.
        public init?(_ text: String) {
            let words = Self.words(text)
            guard text.utf8.count <= 256, (1...Self.maxWords).contains(words.count) else { return nil }
            phrases = words.map { Self.phrase([$0]) }
        }

        /// The FTS5 match expression. It includes place and type, so that a common word at a rare place is found without walking all its
        /// events. The row itself decides whether they match exactly.
        func matchExpression(place: String?, type: String?) -> String {
            let columns = [("place", place), ("type", type)].compactMap { column, value -> String? in
                let words = Self.words(value ?? "")
                return words.isEmpty ? nil : "\(column) : \(Self.phrase(words))"
            }
            return (phrases + columns).joined(separator: " AND ")
        }

        private static func words(_ text: String) -> [Substring] { text.split { !$0.isLetter && !$0.isNumber } }

        /// Inside quotation marks FTS5 has no operators, and no word contains a quotation mark.
        private static func phrase(_ words: [Substring]) -> String { "\"\(words.joined(separator: " "))\"" }
    }
}
