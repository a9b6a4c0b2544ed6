/// The distance between two spellings: letters inserted, left out or changed, or two neighbours swapped (Damerau-Levenshtein, each place
/// touched once).
enum EditDistance {
    /// The distance, or nil if it is more than `limit`.
    static func distance(_ a: [UInt32], _ b: [UInt32], limit: Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        var before = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        var row = last
        for i in 1...a.count {
            row[0] = i
            var least = i
            for j in 1...b.count {
                var cost = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
                cost = min(cost, min(last[j], row[j - 1]) + 1)
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, before[j - 2] + 1) }
                row[j] = cost
                least = min(least, cost)
            }
            if least > limit { return nil }
            (before, last, row) = (last, row, before)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }

    /// The distance of `typed` from `word`; nil if `word` cannot be meant. Short words are taken literally: "oven" is not "open". Digits
    /// are never corrected.
    static func typoDistance(_ typed: WordLetters, for word: WordLetters) -> Int? {
        let (a, b) = (typed.letters, word.letters)
        guard a != b else { return 0 }
        let (short, long) = (min(a.count, b.count), max(a.count, b.count))
        guard long - short <= 2, a.count > 2, b.count > 3, !typed.hasDigit, !word.hasDigit else { return nil }
        // A misspelt short word mostly has the right first letter.
        if long < 7, a[0] != b[0], a[0] != b[1] || a[1] != b[0] { return nil }
        guard let distance = distance(a, b, limit: long >= 8 ? 2 : 1) else { return nil }
        // Two errors do not make a word two letters shorter, nor change two of its letters: a president is not present, and a ballroom is
        // no bathroom.
        if distance == 2, long - short > 1 || (long == short && missingLetters(a, b) > 1) { return nil }
        // A changed letter makes another short word of it; a missing letter, a doubled one or two swapped ones are typing errors.
        if b.count == 4, short == long, a.sorted() != b.sorted() { return nil }
        return distance
    }

    /// The number of letters of one word that the other does not have.
    private static func missingLetters(_ one: [UInt32], _ other: [UInt32]) -> Int {
        var left = other
        return one.count { letter in
            guard let place = left.firstIndex(of: letter) else { return true }
            left.remove(at: place)
            return false
        }
    }
}
