import CardeaModel

/// A weekly schedule as text: `Mon to Fri, 9:00 to 12:00`.
public enum ScheduleText {
    public static func text(_ schedule: WeeklySchedule) -> String {
        schedule.lines.map(windowText).joined(separator: "; ")
    }

    private static func windowText(_ line: WeeklySchedule.Window) -> String {
        let hours: String
        if line.from == line.to {
            hours = line.from.minutes == 0 ? "all day" : "from \(clock(line.from)) for a whole day"
        } else {
            hours = "\(clock(line.from)) to \(clock(line.to))\(line.to < line.from ? " the next day" : "")"
        }
        return "\(days(line.days)), \(hours)"
    }

    private static func days(_ days: Set<Weekday>) -> String {
        let chosen = Weekday.allCases.filter(days.contains)
        if chosen.count == 7 { return "every day" }
        let indices = chosen.compactMap(Weekday.allCases.firstIndex)
        let isRun = zip(indices, indices.dropFirst()).allSatisfy { $1 == $0 + 1 }
        if chosen.count > 2, isRun, let first = chosen.first, let last = chosen.last { return "\(name(first)) to \(name(last))" }
        return DoorSummaryText.list(chosen.map(name))
    }

    private static func name(_ day: Weekday) -> String { day.rawValue.prefix(1).uppercased() + day.rawValue.dropFirst() }

    private static func clock(_ time: TimeOfDay) -> String {
        let minute = time.minutes % 60
        return "\(time.minutes / 60):\(minute < 10 ? "0" : "")\(minute)"
    }
}
