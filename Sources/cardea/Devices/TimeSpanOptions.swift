import ArgumentParser
import Foundation

/// Options for the time span to look back.
struct TimeSpanOptions: ParsableArguments {
    @Option(name: .customLong("for"), help: ArgumentHelp("The time span to show: 6h, 2d, 4w.", valueName: "duration"))
    var duration = "24h"

    func validate() throws {
        guard TimeParser.duration(duration) != nil else {
            throw ValidationError("--for \(duration) is not a duration. Write 90m, 6h, 2d or 4w.")
        }
    }

    /// Seconds.
    var length: TimeInterval { TimeParser.duration(duration) ?? 86_400 }
}
