import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

struct PairCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Accept a pass: paste the link or type the code you were given.",
        discussion: """
            The terminal asks for the link or code, or reads it from standard input. A code alone needs --hub, unless this terminal knows
            the hub. The pass works only in this terminal, with the data in CARDEA_HOME. If you set a PIN, each opening asks for it.

              cardea pair
              cardea pair --hub https://house.example
              cardea pair --with-pin
            """)

    /// The choice whether a PIN is asked for at every opening.
    enum PINMode: String, EnumerableFlag {
        case withPin, withoutPin

        static func help(for value: PINMode) -> ArgumentHelp? {
            switch value {
            case .withPin: "Set a PIN that every opening asks for. The terminal asks for it after the link, or reads the next line."
            case .withoutPin: "Set no PIN, and skip the question."
            }
        }
    }

    @OptionGroup var hub: HubOptions
    @Flag(help: "If a resident must approve first, do not wait for the answer.")
    var noWait = false
    @Flag(help: "Restore a pass that was lost here, with the same link.")
    var again = false
    @Flag(exclusivity: .exclusive)
    var guarding: PINMode?
    @Argument(help: .hidden)
    var typed: [String] = []
    @OptionGroup var output: OutputOptions

    func validate() throws {
        // The code is in the shell's history by now; it is not repeated here, and not sent.
        guard typed.isEmpty else {
            throw ValidationError(
                "Do not give the link or code as an argument: shells store arguments. Run `cardea pair` and paste it when asked.")
        }
    }

    func run(in context: CommandContext) async throws {
        let pasted = try ParsedLink(context.prompt.line("Link or code"), page: "g")
        guard let code = PassCode.normalized(pasted.code.reveal()) else {
            throw CommandLineError.usage(
                "This link or code is not complete. Copy the whole link, or type the code: ten letters and digits.")
        }
        let hub = try await hub.address(in: pasted, context: context)
        let (guest, keys) = (context.client(of: hub).guestAccess, GuestDeviceKeyring(context: context))
        let key = try await context.credentialStore.update { stored in
            let key = stored.pairingKey(at: hub, with: code) ?? GuestKey()
            stored.addPairingRequest(at: hub, with: code, key: key)
            return key
        }
        // Before the code is used up: an invalid PIN uses none.
        let pin = try choosePIN(context.prompt)
        let guarded = if let pin { try await keys.save(key, behind: pin) } else { String?.none }
        let taken: GuestAccess.RedeemedPass
        do {
            taken = try await ApprovalWait(isWaiting: !noWait, context: context).wait {
                try await guest.pair(code: code, key: key, asksAgain: again, keyVerifies: pin != nil)
            }
        } catch {
            if let guarded { try await keys.delete(guarded) }
            if !Self.isRetryable(error) { try await context.credentialStore.update { $0.removePairingRequest(at: hub) } }
            throw error
        }
        var pass = StoredPass(hub: hub, token: StoredSecret(taken.token), pass: taken.pass, takenAt: Date())
        if taken.isBound {
            (pass.key, pass.guardedKey) = guarded == nil ? (StoredSecret(key.encoded), nil) : (nil, guarded)
        } else if let guarded {
            try await keys.delete(guarded)
            context.output.note("This hub's version does not support PINs, so the pass has none.")
        }
        let replaced = try await storePass(pass, context)
        for name in replaced.compactMap(\.guardedKey) { try await keys.delete(name) }
        let asks = pass.guardedKey == nil ? "" : " Each opening asks for your PIN."
        try await context.output.show(taken.pass) { PassText.text(taken.pass) + "\nOpen the door with `cardea open`.\(asks)" }
    }

    /// Returns whether the same code may still be valid for this terminal, because the house has given no final answer.
    private static func isRetryable(_ error: any Error) -> Bool {
        switch error {
        case let failure as CommandLineError: failure.code == "pending_approval"
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

    /// - Returns: the passes that it replaces.
    private func storePass(_ pass: StoredPass, _ context: CommandContext) async throws -> [StoredPass] {
        try await context.credentialStore.update { stored in
            let replaced = stored.passes.filter { $0.hub == pass.hub && $0.pass.guestID == pass.pass.guestID }
            stored.passes.removeAll { $0.hub == pass.hub && $0.pass.guestID == pass.pass.guestID }
            if let pins = context.pins.pins(at: pass.hub) { stored.trust(pins, at: pass.hub) }
            stored.updateRoutes(context.routes)
            stored.removePairingRequest(at: pass.hub)
            stored.passes.append(pass)
            return replaced
        }
    }
}
