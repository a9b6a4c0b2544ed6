@testable import CardeaMind
import CardeaModel
import Foundation
import Testing

@Suite("Text of habits")
struct HabitTextTests {
    private func text(_ sort: RestStateKind, working: Range<Int>?, weekend: Range<Int>?) -> String {
        HabitText(lexicon: .standard).hours("Front door", sort) { hour in
            let range = hour / 24 < 5 ? working : weekend
            return range?.contains(hour % 24) == true ? 0.9 : 0.1
        }.text
    }

    // "Front door is usually not locked seldom on working days" was once said.
    @Test("The text separates days on which something is usual from those on which it is rare")
    func days() {
        #expect(text(.opening, working: nil, weekend: nil) == "Front door is seldom open.")
        #expect(text(.lock, working: nil, weekend: nil) == "Front door is nearly always locked.")
        #expect(
            text(.lock, working: nil, weekend: 10..<12)
                == "Front door is nearly always locked on working days, and usually not locked at weekends 10:00–12:00.")
        #expect(
            text(.opening, working: 8..<9, weekend: nil)
                == "Front door is usually open on working days 08:00–09:00, and seldom open at weekends.")
        #expect(
            text(.opening, working: 8..<9, weekend: 10..<12)
                == "Front door is usually open on working days 08:00–09:00, at weekends 10:00–12:00.")
    }
}
