import CardeaModel
import Foundation
import Testing

@Suite("Text of the last report time")
struct ReportTimeTextTests {
    @Test("Today shows the time, other days the date too, in local time and over clock changes")
    func words() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        // Saturday, 21 November 2026, 15:00 in Berlin.
        let now = Date(timeIntervalSince1970: 1_795_269_600)
        func words(_ hours: Double) -> String { ReportTimeText.text(now.addingTimeInterval(-hours * 3600), now: now, in: zone) }
        #expect(words(0) == "at 15:00" && words(15) == "at 0:00" && words(5.9) == "at 9:06")
        #expect(words(15.5) == "on 20 Nov at 23:30")
        // In summer time.
        #expect(words(24 * 60) == "on 22 Sep at 16:00")
        #expect(words(24 * 365) == "on 21 Nov 2025 at 15:00")
        #expect(words(-24) == "on 22 Nov at 15:00")
    }
}
