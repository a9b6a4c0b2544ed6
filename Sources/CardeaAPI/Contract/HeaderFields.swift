import CardeaModel

/// Header fields that several routes read or send.
enum HeaderFields {
    /// Header fields of requests, each with the trait of the routes that read it.
    static let requestHeaders: [(Route.Trait, String, Schema)] = [
        (.entityTag, "If-None-Match", Schema.text(example: "\"12\"").about("Entity tags that are known already: 304 for one of them")),
        (.ifMatch, "If-Match", Schema.text(example: "\"12\"").about("The entity tags for which to do it: 412 for any other")),
        (
            .respondsAsync, "Prefer",
            Schema.text(example: "respond-async").about("`respond-async`: 202 at once, without waiting for the device")
        ),
        (
            .dpopProof, DPoPHeaders.proof,
            Schema.text().about(
                "With `cookie`, and with the cookie: a DPoP proof (RFC 9449) by the key of this browser; docs/protocol.md says which")
        ),
        // Plain texts: with a pass that is bound to no key they are passed over, whatever they say.
        (
            .guestProof, GuestProofHeaders.proof,
            Schema.text().about("Of a pass that is bound to a key: what was signed, base64url of JSON; docs/protocol.md has its form")
        ),
        (.guestProof, GuestProofHeaders.signature, Schema.text().about("The Ed25519 signature over it, base64url")),
    ]

    static let components: [String: JSONValue] = [
        "X-Request-Id": header("The request's number, as the hub's log has it", required: true),
        "ETag": header("The version of what is answered"),
        "Set-Cookie": header("The refresh token, where `cookie` asked for it"),
        "DPoP-Nonce": header("To be signed by the next DPoP proof (RFC 9449, section 8)"),
        "Idempotent-Replayed": header("`true` where this was answered before, under the same `Idempotency-Key`"),
        "WWW-Authenticate": header("`Bearer`, and what is wrong with the token that was shown"),
        "Retry-After": header("Whole seconds", required: true),
        "RateLimit": header("How many tries are left, and after how many seconds there are more"),
        "RateLimit-Policy": header("How many wrong tries are free, and in how many seconds"),
    ]

    static func errorHeaders(_ status: Int) -> [String] {
        switch status {
        case 400: ["DPoP-Nonce"]
        case 401: ["WWW-Authenticate", "RateLimit", "RateLimit-Policy"]
        case 412: ["ETag"]
        case 429: ["Retry-After", "RateLimit", "RateLimit-Policy"]
        case 503, 507: ["Retry-After"]
        default: []
        }
    }

    static func references(_ names: [String]) -> JSONValue {
        .object(Dictionary(names.map { ($0, ["$ref": .string("#/components/headers/\($0)")]) }) { $1 })
    }

    private static func header(_ about: String, required: Bool = false) -> JSONValue {
        ["description": .string(about), "required": .bool(required), "schema": ["type": "string"]]
    }
}
