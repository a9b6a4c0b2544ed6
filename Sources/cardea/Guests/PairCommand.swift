import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

struct PairCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Take a pass: paste the link or type the code you were given.",
        discussion: """
            The link or code is asked for, or read from standard input. A code alone needs --hub, unless you have been there before.
            A pass works where it was taken: here, under CARDEA_HOME.

              cardea pair
              cardea pair --hub https://house.example
            """)

    @OptionGroup var hub: HubOption
    @Flag(help: "If somebody in the house has to say yes first, do not wait for it.")
    var noWait = false
    @Argument(help: .hidden)
    var typed: [String] = []
    @OptionGroup var output: OutputOptions

    func validate() throws {
        // What stands there is in the shell's history by now; it is not repeated here, and not sent.
        guard typed.isEmpty else {
            throw ValidationError("A link or code is not an argument: your shell keeps those. Run `cardea pair` and paste it when asked.")
        }
    }

    func run(in sitting: Sitting) async throws {
        let pasted = try PastedLink(sitting.prompt.line("Link or code"), page: "g")
        let hub = try await hub.address(in: pasted.hub, sitting: sitting)
        let code = SpokenCode.clean(pasted.code.reveal()).map { Secret($0) } ?? pasted.code
        let guest = sitting.client(of: hub).guestAccess
        let taken = try await Patience(waits: !noWait, sitting: sitting).wait { try await guest.pair(code: code) }
        try await sitting.file.update { kept in
            kept.passes.removeAll { $0.hub == hub && $0.pass.guestID == taken.pass.guestID }
            if let pins = sitting.pins.pins(at: hub) { kept.trust(pins, at: hub) }
            kept.keep(sitting.routes)
            kept.passes.append(KeptPass(hub: hub, token: KeptSecret(taken.token), pass: taken.pass, takenAt: Date()))
        }
        try await sitting.output.show(taken.pass) { PassWords.text(taken.pass) + "\nOpen the door with `cardea open`." }
    }
}
