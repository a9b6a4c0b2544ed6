import ArgumentParser
import CardeaHTTP

/// Options for the security contact of this house.
struct SecurityOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The contact for vulnerability reports in /.well-known/security.txt, such as mailto:me@example.org. Can be repeated.",
            valueName: "uri"))
    var securityContact: [String] = []

    func validate() throws {
        if let wrong = securityContact.first(where: { !SecurityTxt.isContact($0) }) {
            throw ValidationError("--security-contact needs a URI that begins with https:, mailto: or tel:; \(wrong) is not one.")
        }
    }

    var text: SecurityTxt { SecurityTxt(contacts: securityContact) }
}
