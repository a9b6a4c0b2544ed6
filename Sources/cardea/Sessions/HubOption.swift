import ArgumentParser
import CardeaClient
import Foundation

/// Which house is meant.
struct HubOption: ParsableArguments {
    @Option(
        name: [.customLong("hub"), .customLong("url")],
        help: ArgumentHelp("The house's address, like https://house.example; http only on this machine.", valueName: "url"))
    var hub: String?

    /// The option, else what was found in a link, else CARDEA_HUB, else the house of last time, else what is typed.
    func address(in link: HubAddress? = nil, sitting: Sitting) throws -> HubAddress {
        if let hub { return try HubAddress(hub) }
        if let link { return link }
        if let hub = ProcessInfo.processInfo.environment["CARDEA_HUB"], !hub.isEmpty { return try HubAddress(hub) }
        if let hub = sitting.kept.hub ?? sitting.kept.passes.last?.hub { return hub }
        guard sitting.prompt.isInteractive else { throw Failure.usage("Which house? Add --hub URL.") }
        return try HubAddress(sitting.prompt.line("The house's address"))
    }
}
