import CardeaModel
import Foundation

/// Remembers what people tell the house, with the day it is about.
extension Mind {
    /// The text with relative days replaced by dates, since "today" is another day tomorrow.
    func replacingRelativeDays(_ text: String, in zone: TimeZone) -> String {
        let formatter = AnswerFormatter(lexicon: lexicon, calendar: LocalCalendar(zone), now: time.now())
        let today = formatter.calendar.day(of: formatter.now)
        let days = [lexicon.word(.time(.today)): today, lexicon.word(.time(.yesterday)): today.later(by: -1)]
        var before = ""
        return text.split(separator: " ", omittingEmptySubsequences: false).map { part -> String in
            let word = part.trimmingCharacters(in: .punctuationCharacters)
            defer { before = word.lowercased() }
            // "The day before yesterday" is another day.
            guard let day = days[word.lowercased()], before != "before" else { return String(part) }
            let (number, month, year) = formatter.calendar.date(day)
            let date = "\(number) \(formatter.month(month)) \(year)"
            let words = Self.datePrepositions.contains(before) ? date : lexicon.answerText(.onDay, [.day: date])
            return part.replacingOccurrences(of: word, with: words)
        }.joined(separator: " ")
    }

    /// Answers "When was the boiler serviced?" from memories that people told about it, the latest first.
    ///
    /// - Returns: nil if it is not a question, or no memory matches.
    func answerFromMemories(of sentence: String, in house: HouseSnapshot, seenBy visibility: RequesterVisibility, degrees: TemperatureUnit)
        async throws -> Reply?
    {
        let first = sentence.split(whereSeparator: { !$0.isLetter }).first.map { $0.lowercased() } ?? ""
        let wanted = Set(MemorySearch.stems(sentence)).subtracting(Self.questionStems)
        guard sentence.contains("?") || Self.questionOpeners.contains(first), wanted.count > 1 else { return nil }
        let requester = MemoryRequester(visibility: visibility, keepsHouse: false, degrees: degrees)
        let recalled = try await findMemories(MemorySearch(words: sentence, limit: 200), by: requester, hasHappenings: false)
        let formatter = AnswerFormatter(lexicon: lexicon, calendar: LocalCalendar(house.zone), now: time.now())
        let found = recalled.memories.filter { one in
            let memory = one.memory
            let said = [memory.title, memory.content] + memory.tags
            return memory.person != nil && wanted.isSubset(of: said.flatMap(MemorySearch.stems))
        }.sorted { ($0.memory.createdAt, $0.memory.id) > ($1.memory.createdAt, $1.memory.id) }
        let shown = found.prefix(3)
        guard !shown.isEmpty else { return nil }
        var reply = Reply(
            shown.map { one in
                let words = one.memory.content.hasSuffix(".") ? one.memory.content : one.memory.content + "."
                let day = formatter.day(formatter.calendar.day(of: one.memory.createdAt))
                let who = one.authorName ?? AnswerFormatter.capitalized(lexicon.answerText(.somebody))
                return lexicon.answerText(.toldOn, [.who: who, .day: day, .words: words])
            }.joined(separator: " "))
        for one in shown { memories.record(use: one.memory.id) }
        reply.events = shown.map(\.memory.id)
        reply.moreEvents = found.count - shown.count
        reply.devices = Array(Set(shown.flatMap(\.memory.relatedDevices))).sorted()
        return reply
    }

    /// Words after which a day is written as its date alone.
    private static let datePrepositions: Set = ["since", "until", "till", "from", "by", "of", "after"]
    /// Words with which a question begins.
    private static let questionOpeners: Set = [
        "when", "who", "what", "where", "which", "how", "did", "has", "have", "was", "were", "is", "are",
    ]
    /// Words of a question that do not say what it is about.
    private static let questionStems = Set(
        [
            "who", "did", "do", "does", "has", "have", "had", "last", "time", "long", "ago", "since", "i", "we", "you", "my", "our", "been",
            "get", "got", "day", "date", "how", "where", "which", "ever", "be", "there", "this", "year", "please", "me", "us",
        ].flatMap(MemorySearch.stems))
}
