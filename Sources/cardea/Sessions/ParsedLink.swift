import CardeaClient
import CardeaSecurity

/// A pasted link or code, or an error that says what to do.
struct ParsedLink: Sendable {
    let hub: HubAddress?
    let code: Secret
    let pins: Set<Pin>

    /// - Parameter page: where such a link leads: `g` for a pass, `claim`, `join`.
    init(_ text: String, page: String) throws {
        do throws(HouseLink.LinkError) {
            let link = try HouseLink(text, page: page)
            (hub, code, pins) = (link.hub, link.code, link.pins)
        } catch {
            switch error {
            case .noCode: throw CommandLineError.usage("This link has no code after the #. Copy the whole link.")
            case .unexpectedPath(let path):
                throw CommandLineError.usage("This is a different kind of link: it leads to \"\(path)\", not \"/\(page)\".")
            case .address(let problem): throw problem
            case .incompletePin: throw CommandLineError.usage("This link was cut off: a key in it is incomplete. Copy the whole link.")
            }
        }
    }

    /// The token that the link carries.
    func token(_ kind: TokenKind) throws -> Secret {
        guard let token = kind.token(in: code.reveal()) else {
            throw CommandLineError.usage("This link is incomplete. Copy the whole link, or ask for a new one.")
        }
        return token
    }
}
