import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSync
import Foundation

/// `hall-light:set_brightness=40`
struct ParsedDeviceAction: ExpressibleByArgument {
    let device: String
    let action: String
    let value: ParsedValue?

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { return nil }
        let asked = parts[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let action = asked.first, !action.isEmpty, !parts[0].isEmpty else { return nil }
        device = parts[0]
        self.action = action
        value = asked.count == 2 ? ParsedValue(argument: asked[1]) : nil
    }
}
