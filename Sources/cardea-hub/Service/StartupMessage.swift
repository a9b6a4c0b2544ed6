import CardeaAPI
import CardeaHub
import CardeaQR
import CardeaSecurity
import CardeaNetwork
import Foundation

/// The message that the hub prints once it serves: its address, and how to become its owner.
struct StartupMessage: Sendable {
    let asJSON: Bool
    let virtualHouse: Bool
    let identity: HubIdentity?

    init(options: ServeCommand, identity: HubIdentity?) {
        self.identity = identity
        asJSON = options.json
        virtualHouse = options.virtualHouse
    }

    func print(url: String, publicURL: String, house: House) async {
        let claim: String?
        do {
            claim = try await house.newClaimToken().map {
                ClaimLink(url: publicURL, token: $0.reveal(), pins: [identity?.info.pin, identity?.info.backupPin].compactMap(\.self)).web
            }
        } catch {
            return write("The house cannot be claimed: its database does not answer.\n", to: .standardError)
        }
        asJSON ? printJSON(url: url, claim: claim) : printText(url: url, claim: claim, house: house.current.name)
    }

    private struct JSONOutput: Encodable {
        let url: String
        let claimURL: String?
        let pin: String?
        let backupPin: String?

        enum CodingKeys: String, CodingKey {
            case url, pin
            case claimURL = "claim_url"
            case backupPin = "backup_pin"
        }

        func encode(to encoder: any Encoder) throws {
            var line = encoder.container(keyedBy: CodingKeys.self)
            try line.encode(url, forKey: .url)
            try line.encode(claimURL, forKey: .claimURL)
            try line.encode(pin, forKey: .pin)
            try line.encode(backupPin, forKey: .backupPin)
        }
    }

    private func printJSON(url: String, claim: String?) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let said = JSONOutput(url: url, claimURL: claim, pin: identity?.info.pin, backupPin: identity?.info.backupPin)
        guard let line = try? encoder.encode(said) else { return }
        write(String(decoding: line, as: UTF8.self) + "\n", to: .standardOutput)
    }

    private func printText(url: String, claim: String?, house: String) {
        var words = "\nCardea serves \(house) at \(url)\n"
        if let facts = identity?.info {
            words += "Key: \(facts.pin)\n"
            if let backup = facts.backupPin { words += "Reserve key: \(backup)\n" }
            words += "SHA-256 of the certificate, as browsers show it: \(facts.fingerprint)\n"
        }
        if let claim {
            words += "\nThis house has no owner yet. Open this link to become its owner (it works once):\n\n  \(claim)\n\n"
            if let code = try? QRCode(claim) { words += code.terminalText() + "\n" }
        }
        if virtualHouse {
            words += """

                To open the front door from a terminal:

                  cardea login --hub \(url)\(identity.map { " --pin \($0.info.pin)" } ?? "")
                  cardea open front-door

                """
        }
        write(words + "\nCtrl-C stops it.\n", to: .standardOutput)
    }
}

/// Writes text to a standard stream of the process.
func write(_ text: String, to file: FileHandle) {
    // The parent may have closed the pipe; the hub still serves.
    try? file.write(contentsOf: Data(text.utf8))
}
