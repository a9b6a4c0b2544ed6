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
            A pass works where it was taken: here, under CARDEA_HOME. With a PIN, each opening asks for it.

              cardea pair
              cardea pair --hub https://house.example
              cardea pair --with-pin
            """)

    /// Whether whoever opens is asked first.
    enum Guarding: String, EnumerableFlag {
        case withPin, withoutPin

        static func help(for value: Guarding) -> ArgumentHelp? {
            switch value {
            case .withPin: "Ask for a PIN at every opening; it is asked for after the link, or read from the next line."
            case .withoutPin: "No PIN, without being asked."
            }
        }
    }

    @OptionGroup var hub: HubOption
    @Flag(help: "If somebody in the house has to say yes first, do not wait for it.")
    var noWait = false
    @Flag(help: "Ask the house for a pass that was lost here, with the link that was used.")
    var again = false
    @Flag(exclusivity: .exclusive)
    var guarding: Guarding?
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
        guard let code = PassCode.clean(pasted.code.reveal()) else {
            throw Failure.usage("This is no whole link or code of a pass. Ask for it again, or type the code: ten letters and digits.")
        }
        let hub = try await hub.address(in: pasted, sitting: sitting)
        let (guest, keys) = (sitting.client(of: hub).guestAccess, PassKeys(sitting: sitting))
        let key = try await sitting.file.update { kept in
            let key = kept.keyAsking(at: hub, with: code) ?? GuestKey()
            kept.ask(at: hub, with: code, key: key)
            return key
        }
        // Before the code is spent: what is no PIN spends none.
        let pin = try choosePIN(sitting.prompt)
        let guarded = if let pin { try await keys.save(key, behind: pin) } else { String?.none }
        let taken: GuestAccess.Taken
        do {
            taken = try await Patience(waits: !noWait, sitting: sitting).wait {
                try await guest.pair(code: code, key: key, asksAgain: again, keyVerifies: pin != nil)
            }
        } catch {
            if let guarded { try await keys.delete(guarded) }
            if !Self.mayComeBack(error) { try await sitting.file.update { $0.dropAsk(at: hub) } }
            throw error
        }
        var pass = KeptPass(hub: hub, token: KeptSecret(taken.token), pass: taken.pass, takenAt: Date())
        if taken.isBound {
            (pass.key, pass.guardedKey) = guarded == nil ? (KeptSecret(key.kept), nil) : (nil, guarded)
        } else if let guarded {
            try await keys.delete(guarded)
            sitting.output.note("This house binds no pass to a key yet, so no PIN guards it.")
        }
        let replaced = try await keep(pass, sitting)
        for name in replaced.compactMap(\.guardedKey) { try await keys.delete(name) }
        let asks = pass.guardedKey == nil ? "" : " Your PIN is asked for each time."
        try await sitting.output.show(taken.pass) { PassWords.text(taken.pass) + "\nOpen the door with `cardea open`.\(asks)" }
    }

    /// Whether the same code may still be good for this terminal: the house has not answered.
    private static func mayComeBack(_ error: any Error) -> Bool {
        switch error {
        case let failure as Failure: failure.code == "pending_approval"
        case GuestAccessError.client: true
        default: false
        }
    }

    private func choosePIN(_ prompt: Prompt) throws -> Secret? {
        switch guarding {
        case .withPin: try prompt.newPIN()
        case .withoutPin: nil
        case nil: try prompt.newPINOrNone()
        }
    }

    /// - Returns: the passes whose place it takes.
    private func keep(_ pass: KeptPass, _ sitting: Sitting) async throws -> [KeptPass] {
        try await sitting.file.update { kept in
            let replaced = kept.passes.filter { $0.hub == pass.hub && $0.pass.guestID == pass.pass.guestID }
            kept.passes.removeAll { $0.hub == pass.hub && $0.pass.guestID == pass.pass.guestID }
            if let pins = sitting.pins.pins(at: pass.hub) { kept.trust(pins, at: pass.hub) }
            kept.keep(sitting.routes)
            kept.dropAsk(at: pass.hub)
            kept.passes.append(pass)
            return replaced
        }
    }
}
