import ArgumentParser
import CardeaHub
import CardeaStore
import Foundation

struct ClockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Say that the machine's clock is right, where the house doubts it.",
        discussion: """
            Passes end by the clock, and what is kept is forgotten by it. While it says an earlier moment than one that has been, no pass opens
            anything; after it has leapt ahead by more than a day, nothing is forgotten for a day, and after more than 30 days until somebody
            says that it is right. A clock that is set right is believed at once.
            """)

    @Option(help: ArgumentHelp("The folder that holds the house.", valueName: "folder"))
    var data = "./house"

    @OptionGroup(title: "The house's key")
    var key: KeyOptions

    @Flag(help: "The clock is right: believe it.")
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
        guard trust else { throw ValidationError("The clock says \(moment). Where that is right, say so with --trust.") }
        let house = try await HouseAccess(data, key)
        try await house.trustClock()
        try house.close()
        print("The house believes that it is \(moment).")
    }
}
