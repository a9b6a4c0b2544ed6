import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation

struct PairPhoneCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair-phone", abstract: "Pair a phone with your account, by the six digits in its app.",
        discussion: """
            The phone finds the house by the QR code or the address below it. It can then control devices as you can, but not manage
            people, passes, settings or tokens. Needs `cardea step-up` first, unless you have just signed in. Never type digits that
            another person sends you: they would give that person's phone your access. In a script, the digits are read from standard
            input.

              cardea pair-phone
              cardea pair-phone --no-qr
            """)

    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let invitation = try await client.phones.invitation()
        if context.prompt.isInteractive, !context.output.isJSON { context.output.note(card(invitation, context.output)) }
        let typed = try context.prompt.line("The six digits in the phone's app")
        guard let digits = PairingDigits.normalized(typed) else {
            throw CommandLineError.usage("Type the six digits that the phone shows, 0 to 9.")
        }
        let confirmed = try await client.phones.confirm(digits)
        try await context.output.show(confirmed) {
            "\(TextWidth.printable(confirmed.deviceName)) is confirmed. It is ready when its app has fetched its keys. See: cardea phones"
        }
    }

    private func card(_ invitation: PhoneInvitationAnswer, _ output: Output) -> String {
        var lines: [String] = []
        if qr.qr ?? output.isTerminal { lines.append(InvitationText.qrCode(invitation.appLink, output)) }
        lines.append("House: \(invitation.url)")
        lines += invitation.pins.prefix(1).map { "Key:   \($0)" }
        lines.append("Link:  \(invitation.appLink)")
        return lines.joined(separator: "\n")
    }
}
