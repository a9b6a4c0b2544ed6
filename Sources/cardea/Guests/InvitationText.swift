import ArgumentParser
import CardeaClient
import CardeaQR
import Foundation

/// The invitation for a guest: the link, its QR code, and a code to read aloud.
struct InvitationText {
    let link: String?
    let code: String?
    let codeUntil: Date?

    func text(_ clock: HouseClock, _ options: QROptions, _ output: Output) throws -> String {
        var lines: [String] = []
        if let link {
            if options.qr ?? output.isTerminal { lines.append(Self.qrCode(link, output)) }
            lines.append("Link: \(link)")
        }
        if let code {
            let until = codeUntil.map { ", until \(clock.short($0))" } ?? ""
            lines.append("Code: \(Self.grouped(code))\(until)")
        }
        if link != nil { lines.append("The first person to open the link gets the pass: send it only to the guest.") }
        return lines.joined(separator: "\n")
    }

    static func qrCode(_ link: String, _ output: Output) -> String {
        let environment = ProcessInfo.processInfo.environment
        let spoken = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }
        let locale = spoken.first { !$0.isEmpty } ?? ""
        let isUTF8 = locale.lowercased().replacingOccurrences(of: "-", with: "").contains("utf8")
        guard let code = try? QRCode(link) else { return "(The link is too long for a QR code.)" }
        return code.terminalText(!isUTF8 ? .ascii : output.isColoured ? .coloured : .halfBlocks)
    }

    /// `7KQ2 M9PX RT`, as one reads it aloud.
    static func grouped(_ code: String) -> String {
        guard code.count == 10 else { return code }
        return [code.prefix(4), code.dropFirst(4).prefix(4), code.dropFirst(8)].map(String.init).joined(separator: " ")
    }
}
