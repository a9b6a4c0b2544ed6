import CardeaModel

/// Days and hours of the week as people write them: `mon,tue`, `mon-fri`, `weekend`; `9-12`, `09:00-12:30`, `22-2`.
enum WeekdayParser {
    static func days(_ text: String) -> Set<Weekday>? {
        var days = Set<Weekday>()
        for part in text.lowercased().split(separator: ",").map({ $0.filter { !$0.isWhitespace } }) {
            switch part {
            case "daily", "everyday", "every": days.formUnion(Weekday.allCases)
            case "weekdays": days.formUnion([.mon, .tue, .wed, .thu, .fri])
            case "weekend", "weekends": days.formUnion([.sat, .sun])
            default:
                let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { day(String($0)) }
                guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2 else { return nil }
                days.formUnion(range(from: first, to: last))
            }
        }
        return days.isEmpty ? nil : days
    }

    static func hours(_ text: String) -> (from: TimeOfDay, to: TimeOfDay)? {
        let ends = text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "–" }).map { end in
            String(end.filter { !$0.isWhitespace })
        }
        guard ends.count == 2, let from = TimeParser.time(ends[0], .beginning).flatMap(timeOfDay),
            let to = TimeParser.time(ends[1], .end).flatMap(timeOfDay)
        else { return nil }
        return (from, to)
    }

    static func day(_ word: String) -> Weekday? {
        guard word.count >= 2 else { return nil }
        return zip(Weekday.allCases, names).first { $1.hasPrefix(word) }?.0
    }

    private static func range(from first: Weekday, to last: Weekday) -> [Weekday] {
        let all = Weekday.allCases
        guard let start = all.firstIndex(of: first), let end = all.firstIndex(of: last) else { return [] }
        return (0...((end - start + 7) % 7)).map { all[(start + $0) % 7] }
    }

    private static func timeOfDay(_ minutes: Int) -> TimeOfDay? {
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return TimeOfDay(end: "\(two(minutes / 60)):\(two(minutes % 60))")
    }

    private static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}
