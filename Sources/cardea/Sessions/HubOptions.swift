import ArgumentParser
import CardeaClient
import Foundation

/// Options for the house.
struct HubOptions: ParsableArguments {
    @Option(
        name: [.customLong("hub"), .customLong("url")],
        help: ArgumentHelp("The hub's address, such as https://house.example. http works only on this machine.", valueName: "url"))
    var hub: String?
    @Option(
        help: ArgumentHelp(
            "The hub's key, as printed when the hub starts: sha256/… It is stored, and other keys are refused from then on.",
            valueName: "pin"))
    var pin: String?

    /// The address of the selected hub. A given pin is trusted there from now on; so are the pins of a link to it, if none is trusted yet.
    func address(in link: ParsedLink? = nil, context: CommandContext) async throws -> HubAddress {
        let hub = try await resolveAddress(in: link?.hub, context: context)
        if let pin {
            context.pins.trust([try Pin(pin)], at: hub)
        } else if let link, !link.pins.isEmpty, link.hub == hub, context.pins.pins(at: hub) == nil {
            context.pins.trust(link.pins, at: hub)
        }
        return hub
    }

    /// The option, else the address in a link, else CARDEA_HUB, else the last house, else one nearby, else the typed address.
    private func resolveAddress(in link: HubAddress?, context: CommandContext) async throws -> HubAddress {
        // A given key implies TLS, also on this machine.
        if let hub { return try HubAddress(pin == nil || hub.contains("://") ? hub : "https://\(hub)") }
        if let link { return link }
        if let hub = ProcessInfo.processInfo.environment["CARDEA_HUB"], !hub.isEmpty { return try HubAddress(hub) }
        if let hub = context.credentials.hub ?? context.credentials.passes.last?.hub { return hub }
        if let house = try await TrustOnFirstUse(context: context, pin: try pin.map { try Pin($0) }).house() { return house.hub }
        guard context.prompt.isInteractive else { throw CommandLineError.usage("Add the hub's address: --hub URL.") }
        return try HubAddress(context.prompt.line("Address of the hub"))
    }
}
