import CardeaModel
import Foundation
import Testing

@Suite("Time zone names")
struct TimeZoneNameTests {
    @Test(
        "An IANA name is accepted",
        arguments: [
            ("Europe/Berlin", 3600), ("Europe/Kiev", 7200), ("Asia/Calcutta", 19_800), ("America/Argentina/Buenos_Aires", -10_800),
            ("America/Port-au-Prince", -18_000), ("US/Pacific", -28_800), ("UTC", 0), ("Etc/UTC", 0), ("GMT", 0), ("GMT0", 0), ("Zulu", 0),
            ("Etc/GMT-2", 7200), ("Etc/GMT+5", -18_000), ("EST5EDT", -18_000), ("CET", 3600), ("GB", 0), ("Singapore", 28_800),
        ])
    func taken(_ name: String, _ seconds: Int) throws {
        // 1 January 2026, outside summer time in all of these.
        let zone = try #require(TimeZoneName.zone(name))
        #expect(zone.secondsFromGMT(for: Date(timeIntervalSince1970: 1_767_225_600)) == seconds)
        // A stored value is accepted again.
        #expect(TimeZoneName.zone(zone.identifier) != nil)
    }

    @Test(
        "An offset, an abbreviation and an unknown name are refused",
        arguments: [
            "GMT+2", "UTC+2", "GMT+0200", "GMT+02:00", "GMT-5", "+02:00", "CEST", "PST", "IST", "Etc/GMT-15", "Etc/GMT+13", "Etc/GMT-02",
            "Etc/Unknown", "Factory", "localtime", "posix/Europe/Berlin", "Mars/Olympus", "Europe", "Europe/", "Europe/../UTC",
            "Europe/Berlin ", "", "/etc/localtime",
        ])
    func refused(_ name: String) {
        #expect(TimeZoneName.zone(name) == nil)
    }

    @Test(
        "A whole-hour offset maps to a name with the same offset",
        arguments: [("GMT+0200", "Etc/GMT-2"), ("GMT-0500", "Etc/GMT+5"), ("GMT+1400", "Etc/GMT-14")])
    func offset(_ former: String, _ name: String) {
        #expect(TimeZoneName.offset(former) == name)
        #expect(TimeZone(identifier: former)?.secondsFromGMT() == TimeZoneName.zone(name)?.secondsFromGMT())
    }

    @Test("Other texts map to no offset", arguments: ["GMT+0530", "GMT-1300", "GMT+1500", "GMT", "GMT02000", "Europe/Berlin"])
    func noOffset(_ former: String) {
        #expect(TimeZoneName.offset(former) == nil)
    }
}
