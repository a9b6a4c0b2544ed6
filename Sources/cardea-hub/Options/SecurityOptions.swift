import ArgumentParser
import CardeaHTTP

/// Options for the security contact of this house.
struct SecurityOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Told in /.well-known/security.txt: where to report a weakness, such as mailto:me@example.org. May be given several times.",
            valueName: "uri"))
    var securityContact: [String] = []

    func validate() throws {
        if let wrong = securityContact.first(where: { !SecurityTxt.isContact($0) }) {
            throw ValidationError("--security-contact needs a URI that begins with https:, mailto: or tel:, and not \(wrong).")
        }
    }

    var text: SecurityTxt { SecurityTxt(contacts: securityContact) }
}
