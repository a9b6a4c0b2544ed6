import CardeaModel
import Foundation

extension MemoryConsolidation {
    /// The topic of a memory, without its exact time and amount. Two memories with the same topic say the same.
    struct Topic {
        let key: String

        init(_ memory: Memory) {
            let words = Self.normalized(Self.title(of: memory)) + "|" + Self.normalized(Self.content(of: memory))
            key = [
                memory.category.lowercased(), Set(memory.relatedDevices).sorted().prefix(Memory.deviceLimit).joined(separator: ","), words,
            ].joined(separator: "|")
        }

        /// The original title. A merged memory keeps it apart from its count.
        static func title(of memory: Memory) -> String { memory.details["told"]?["title"]?.string ?? memory.title }
        static func content(of memory: Memory) -> String { memory.details["told"]?["content"]?.string ?? memory.content }
        /// The sentence that the text is rendered from, if it contains a temperature.
        static func sentence(of memory: Memory) -> ParameterizedSentence? {
            ParameterizedSentence(stored: memory.details["told"].map { $0[Memory.sentenceKey] } ?? memory.details[Memory.sentenceKey])
        }

        private static let days: Set<String> = [
            "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may",
            "june",
            "july", "august", "september", "october", "november", "december", "today", "yesterday", "tonight",
        ]

        /// The text without times and days: "The garage was open at 23:05 on Monday" and "… at 22:50 on Friday" are the same topic.
        private static func normalized(_ text: String) -> String {
            let words = text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber })
            return words.map { word in
                if days.contains(String(word)) { return "@" }
                return word.contains(where: \.isNumber) ? "#" : String(word)
            }.reduce(into: [String]()) { list, word in
                // 23:05 is two numbers and 23 is one; the count does not matter.
                if !(word == "#" && list.last == "#") { list.append(word) }
            }.joined(separator: " ")
        }

        /// A hash that is the same in every run (FNV-1a, 64 bits; for telling names apart, not for protection).
        static func fingerprint(_ text: String) -> String {
            let hash = text.utf8.reduce(into: UInt64(0xCBF2_9CE4_8422_2325)) { $0 = ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: max(16 - digits.count, 0)) + digits
        }
    }

    /// The evidence for a memory: the number of occasions, their dates and their time of day.
    struct Evidence {
        var count: Int
        var first: Date
        var last: Date
        /// The sum of the occasions' times of day, as points on a clock of 24 hours, by UTC.
        var x: Double
        var y: Double

        static let none = Evidence(count: 0, first: .distantFuture, last: .distantPast, x: 0, y: 0)

        init(count: Int, first: Date, last: Date, x: Double, y: Double) {
            (self.count, self.first, self.last, self.x, self.y) = (count, first, last, x, y)
        }

        init(_ memory: Memory) {
            if let stored = memory.details["evidence"], let count = stored["count"]?.number, count >= 1, count <= 1e9,
                let x = stored["x"]?.number,
                let y = stored["y"]?.number, x.isFinite, y.isFinite, abs(x) <= count, abs(y) <= count, let last = stored["last"]?.number,
                last.isFinite,
                abs(last) < 1e15
            {
                self.init(count: Int(count), first: memory.createdAt, last: Date(milliseconds: Int64(last)), x: x, y: y)
            } else {
                let seconds = memory.createdAt.timeIntervalSince1970
                let angle = seconds.isFinite ? seconds.truncatingRemainder(dividingBy: 86_400) / 86_400 * 2 * .pi : 0
                self.init(count: 1, first: memory.createdAt, last: memory.createdAt, x: cos(angle), y: sin(angle))
            }
        }

        func adding(_ other: Evidence) -> Evidence {
            Evidence(
                count: count + other.count, first: min(first, other.first), last: max(last, other.last), x: x + other.x, y: y + other.y)
        }

        var json: JSONValue {
            .object([
                "count": .number(Double(count)), "first": .number(Double(first.milliseconds)), "last": .number(Double(last.milliseconds)),
                "x": .number((x * 1e6).rounded() / 1e6), "y": .number((y * 1e6).rounded() / 1e6),
            ])
        }

        /// The confidence grows with the number of occasions: two thirds after one, nine tenths after eight (Laplace's rule of
        /// succession).
        var confidence: Double { (Double(count) + 1) / (Double(count) + 2) }

        /// The time of day, to the quarter of an hour, if the occasions agree on one: the mean direction on the clock, if its
        /// resultant is 0.92 or longer, which is a spread of about an hour and a half.
        func usualTime(in zone: TimeZone) -> String? {
            guard count > 0, (x * x + y * y).squareRoot() / Double(count) >= 0.92 else { return nil }
            let seconds = atan2(y, x) / (2 * .pi) * 86_400 + Double(zone.secondsFromGMT(for: last))
            let quarter = Int((seconds / 900).rounded())
            let minutes = ((quarter % 96) + 96) % 96 * 15
            return String(format: "%02d:%02d", minutes / 60, minutes % 60)
        }
    }
}
