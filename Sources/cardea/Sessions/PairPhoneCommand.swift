import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation

struct PairPhoneCommand: HouseCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair-phone", abstract: "Let a phone act for you: its app shows six digits, and you type them here.",
        discussion: """
            The phone finds the house by the QR code, or by the address under it. It may then do with devices what you may; people, passes,
            settings and tokens are beyond it. Pairing asks for a step-up, unless you signed in just now. Digits that somebody sends you are
            theirs, and would let their phone act for you. From a script the digits are read from standard input.

              cardea pair-phone
              cardea pair-phone --no-qr
            """)

    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) async throws {
        let client = try context.client()
        let invitation = try await client.phones.invitation()
        if context.prompt.isInteractive, !context.output.isJSON { context.output.note(card(invitation, context.output)) }
        let typed = try context.prompt.line("The six digits on the phone's screen")
        guard let digits = PairingDigits.normalized(typed) else { throw CommandLineError.usage("A phone shows six digits, 0 to 9.") }
        let confirmed = try await client.phones.confirm(digits)
        try await context.output.show(confirmed) {
            "\(TextWidth.printable(confirmed.deviceName)) may act for you as soon as its app has fetched its keys. See: cardea phones"
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
