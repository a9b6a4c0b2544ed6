import CardeaModel

/// One thing the hub can be asked over HTTP, described as it is: the hub opens no other, and its OpenAPI document is made of these.
public struct Route: Sendable {
    public let method: Method
    /// With its parameters in braces: `/api/v1/devices/{id}`.
    public let path: String
    /// A name for generated clients: the route's name in the code.
    public let id: String
    public let capability: Capability
    public let summary: String
    public let query: [Parameter]
    public let body: Body?
    public let answers: [Answer]
    public let ownErrors: [ErrorCode]
    public let traits: Set<Trait>
    /// Bytes that its body may have.
    public let bodyLimit: Int

    public static let defaultBodyLimit = 64 * 1024

    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The part of the house it belongs to: the nouns of ARCHITECTURE.md.
    public enum Capability: String, Sendable, CaseIterable {
        case access = "Access"
        case people = "People"
        case sessions = "Sessions"
        case guests = "Guests"
        case devices = "Devices"
        case events = "Events"
        case tags = "Tags"
        case notices = "Notices"
        case mind = "Mind"
        case journal = "Journal"
        case privacy = "Privacy"
        case operations = "Running"
    }

    /// The kind of caller that a route accepts. The gate decides what the caller may do.
    public enum Caller: Sendable {
        /// No authentication: claiming, signing in, pairing.
        case unauthenticated
        /// A person of the house, with an access token; or a program with a token that one of them made.
        case person
        /// A pass.
        case guest
        /// A person of the house, or a pass.
        case personOrGuest
        /// A phone that asked to be paired, with the secret it was given.
        case waitingPhone
    }

    /// Behaviour that several routes share.
    public enum Trait: Hashable, Sendable {
        /// A read returns an entity tag, and 304 if the caller already has that version.
        case entityTag
        /// Writing it heeds `If-Match`.
        case ifMatch
        /// `Prefer: respond-async` is honoured.
        case respondsAsync
        /// A pass may name its call by `Idempotency-Key`; a person of the house may name every write.
        case idempotencyKey
        /// A pass that is bound to a key shows that it is held.
        case guestProof
        /// A browser shows that it holds the key of its session.
        case dpopProof
        /// Requires a step-up, always or for some of its actions.
        case stepUp
        /// Wrong tries are counted, and slow the next one down.
        case throttled(RateLimitPolicy)
    }

    public init(
        _ method: Method, _ path: String, _ capability: Capability, _ summary: String, query: [Parameter] = [], body: Body? = nil,
        _ answers: Answer..., fails failures: [ErrorCode] = [], traits: Set<Trait> = [], bodyLimit: Int = defaultBodyLimit,
        id: String = #function
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.capability = capability
        self.summary = summary
        self.query = query
        self.body = body
        self.answers = answers
        self.ownErrors = failures
        self.traits = traits
        self.bodyLimit = bodyLimit
    }

    /// The names in the path's braces.
    public var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }.map { String($0.dropFirst().dropLast()) }
    }

    var isOfGuestFamily: Bool { path.hasPrefix("/api/guest_access") }

    /// True for the mobile routes of Seed 003, whose errors are `{"detail"}`.
    var isOfMobileFamily: Bool { path.hasPrefix("/api/v1/mobile/") }
}

extension Route {
    public struct Parameter: Sendable {
        public let name: String
        public let schema: Schema

        public init(_ name: String, _ schema: Schema) {
            self.name = name
            self.schema = schema
        }
    }

    /// A JSON object that a client sends.
    public struct Body: Sendable {
        private let type: any SchemaRepresentable.Type
        public let isRequired: Bool

        public var schema: Schema { .of(type) }

        public static func json<Type: SchemaRepresentable>(_ type: Type.Type) -> Body { Body(type: type, isRequired: true) }

        public static func optionalJSON<Type: SchemaRepresentable>(_ type: Type.Type) -> Body { Body(type: type, isRequired: false) }
    }

    public struct Answer: Sendable {
        public init(status: Int, about: String, mediaType: String, schema: @escaping @autoclosure @Sendable () -> Schema?) {
            self.status = status
            self.about = about
            self.mediaType = mediaType
            body = schema
        }

        public let status: Int
        public let about: String
        public let mediaType: String
        /// Made when the contract is read: a starting hub opens its routes without it.
        private let body: @Sendable () -> Schema?
        /// nil if there is no body.
        public var schema: Schema? { body() }
        public var setsCookie = false

        public static func ok<Type: SchemaRepresentable>(_ type: Type.Type, _ about: String = "Done") -> Answer {
            Answer(status: 200, about: about, mediaType: "application/json", schema: .of(type))
        }

        public static func created<Type: SchemaRepresentable>(_ type: Type.Type, _ about: String = "Created") -> Answer {
            Answer(status: 201, about: about, mediaType: "application/json", schema: .of(type))
        }

        public static func accepted<Type: SchemaRepresentable>(_ type: Type.Type, _ about: String) -> Answer {
            Answer(status: 202, about: about, mediaType: "application/json", schema: .of(type))
        }

        /// The same for a client that names the source contract's media type in `Accept`; it is listed after the usual answer.
        public static func source<Type: SchemaRepresentable>(_ type: Type.Type) -> Answer {
            let mediaType = DeviceFormat.source.mediaType
            return Answer(
                status: 200, about: "Success; the alternative media type if `Accept` names it", mediaType: mediaType, schema: .of(type))
        }

        public static let noContent = Answer(status: 204, about: "Done", mediaType: "", schema: nil)

        public static func text(_ type: String, _ about: String) -> Answer {
            Answer(status: 200, about: about, mediaType: type, schema: .text())
        }

        /// Bytes of a picture, or of several.
        public static func picture(_ type: String, _ about: String) -> Answer {
            Answer(status: 200, about: about, mediaType: type, schema: .anything)
        }

        public static func document(_ about: String) -> Answer {
            Answer(status: 200, about: about, mediaType: "application/json", schema: .map())
        }

        /// Tokens, of which the refresh token may lie in a cookie.
        public static func tokens(_ status: Int) -> Answer {
            var answer = Answer(status: status, about: "Signed in", mediaType: "application/json", schema: .of(TokensAnswer.self))
            answer.setsCookie = true
            return answer
        }
    }
}
