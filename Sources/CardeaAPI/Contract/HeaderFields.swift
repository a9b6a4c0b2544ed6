import CardeaModel

/// Header fields that several routes read or send.
enum HeaderFields {
    /// Header fields of requests, each with the trait of the routes that read it.
    static let requestHeaders: [(Route.Trait, String, Schema)] = [
        (.entityTag, "If-None-Match", Schema.text(example: "\"12\"").about("Known entity tags; answers 304 if one of them is current")),
        (.ifMatch, "If-Match", Schema.text(example: "\"12\"").about("Required entity tags; answers 412 if none of them is current")),
        (
            .respondsAsync, "Prefer",
            Schema.text(example: "respond-async").about("`respond-async`: answers 202 at once, without waiting for the device")
        ),
        (
            .dpopProof, DPoPHeaders.proof,
            Schema.text().about(
                "DPoP proof (RFC 9449) signed with this browser's key; required with `cookie` and whenever the cookie is used. See docs/protocol.md"
            )
        ),
        // Plain strings: with a pass without a key, any value is ignored.
        (
            .guestProof, GuestProofHeaders.proof,
            Schema.text().about("The signed payload of a key-bound pass, base64url of JSON. See docs/protocol.md")
        ),
        (.guestProof, GuestProofHeaders.signature, Schema.text().about("The Ed25519 signature over the payload, base64url")),
    ]

    static let components: [String: JSONValue] = [
        "X-Request-Id": header("The request id that the hub logs", required: true),
        "ETag": header("The version of the returned resource"),
        "Set-Cookie": header("The refresh token, if `cookie` requested it"),
        "DPoP-Nonce": header("Nonce for the next DPoP proof (RFC 9449, section 8)"),
        "Idempotent-Replayed": header("`true` if this is the stored response of an earlier request with the same `Idempotency-Key`"),
        "WWW-Authenticate": header("`Bearer`, with the reason why the token was rejected"),
        "Retry-After": header("Whole seconds", required: true),
        "RateLimit": header("Remaining attempts, and seconds until the limit resets"),
        "RateLimit-Policy": header("Allowed failed attempts, and the window in seconds"),
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
