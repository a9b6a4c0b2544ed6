import ArgumentParser
import CardeaHub
import CardeaStore
import Foundation

struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show or confirm the clock after an implausible jump.",
        discussion: """
            Passes and data retention depend on the clock. If the clock goes back before a time already seen, passes open nothing. If it
            jumps ahead by more than a day, no data is deleted for a day; by more than 30 days, no data is deleted until you confirm the
            clock. A corrected clock is trusted at once.
            """)

    @Option(help: ArgumentHelp("The folder of the house.", valueName: "folder"))
    var data = "./house"

    @OptionGroup(title: "House key")
    var key: KeyOptions

    @Flag(help: "Confirm that the clock is right.")
    var trust = false

    func run() async throws {
        guard FileManager.default.fileExists(atPath: URL(filePath: data).appending(path: "house.sqlite").path) else {
            throw ValidationError("There is no house in \(data).")
        }
        let moment = Date().formatted(
            Date.VerbatimFormatStyle(
                format:
                    "\(day: .defaultDigits) \(month: .wide) \(year: .defaultDigits), \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
                // Without a locale a month is "M11".
                locale: Locale(identifier: "en_GB"), timeZone: .current, calendar: Calendar(identifier: .gregorian)))
        guard trust else { throw ValidationError("The clock says \(moment). If this is right, confirm it with --trust.") }
        let house = try await HouseAccess(data, key)
        try await house.trustClock()
        try house.close()
        print("The clock is confirmed: \(moment).")
    }
}
