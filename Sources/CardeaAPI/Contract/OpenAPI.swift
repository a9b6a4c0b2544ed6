import CardeaModel

/// The hub's routes as an OpenAPI 3.1 document.
public enum OpenAPI {
    public static func document(_ routes: [(route: Route, caller: Route.Caller)]) -> JSONValue {
        let paths = Dictionary(grouping: routes) { $0.route.path }.mapValues { routes in
            JSONValue.object(Dictionary(routes.map { ($0.route.method.rawValue.lowercased(), operation($0.route, $0.caller)) }) { $1 })
        }
        return [
            "openapi": "3.1.1",
            "info": [
                "title": "Cardea", "version": .string(ProtocolHistory.latest.name), "summary": "HTTP API of the Cardea hub",
                "description":
                    "Field names are snake_case; requests may use camelCase. Times are RFC 3339 UTC with milliseconds, and Unix seconds in the guest family. Unknown fields are rejected. docs/protocol.md is the guide; events are described in /asyncapi.json.",
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [
                ["url": "/", "description": "This hub"],
                [
                    "url": "/v1",
                    "description":
                        "The same API without cookies, for programs: `/v1/X` and `/v1/api/v1/X` are `/api/v1/X`. Families with other prefixes are not available here.",
                ],
            ],
            "tags": .array(Route.Capability.allCases.map { ["name": .string($0.rawValue), "description": .string($0.tagDescription)] }),
            "paths": .object(paths),
            "components": [
                "schemas": schemas(routes.flatMap(\.route.schemas)), "headers": .object(HeaderFields.components),
                "responses": errorResponses(routes),
                "securitySchemes": [
                    "household": [
                        "type": "http", "scheme": "bearer",
                        "description": "A person's access token, or an API token.",
                    ],
                    "phone": ["type": "http", "scheme": "bearer", "description": "The access token of a paired phone."],
                    "waiting_phone": [
                        "type": "http", "scheme": "bearer", "description": "The `device_code` of a phone that is being paired.",
                    ],
                    "guest_pass": [
                        "type": "http", "scheme": "bearer", "description": "The token of a pass, issued when the pass is paired.",
                    ],
                ],
            ],
        ]
    }

    private static func operation(_ route: Route, _ caller: Route.Caller) -> JSONValue {
        var operation: [String: JSONValue] = [
            "operationId": .string(route.id), "summary": .string(route.summary), "tags": [.string(route.capability.rawValue)],
            "parameters": .array(parameters(route, caller)), "responses": .object(responses(route, caller)),
            "security": caller.security(isOpenToPhones: route.isOpenToPhones),
        ]
        if let body = route.body {
            operation["requestBody"] = [
                "required": .bool(body.isRequired), "content": ["application/json": ["schema": body.schema.json]],
            ]
        }
        return .object(operation)
    }

    private static func parameters(_ route: Route, _ caller: Route.Caller) -> [JSONValue] {
        let path = route.pathParameters.map { name in
            let schema = route.path.contains("/devices/{id}") ? Schema.text(1...256, example: "front-door") : .text(1...256)
            return parameter("path", name, schema, isRequired: true)
        }
        let query = route.query.map { parameter("query", $0.name, $0.schema, isRequired: false) }
        var headers: [JSONValue] = []
        if route.acceptsIdempotencyKey(by: caller) {
            let name = Schema.text(matching: "^[!-~]{1,128}$", example: "7f3b2c10").about(
                "A unique key chosen by the caller; a repeated request with the same key is executed once")
            headers.append(parameter("header", "Idempotency-Key", name, isRequired: false))
        }
        for (trait, name, schema) in HeaderFields.requestHeaders where route.traits.contains(trait) {
            headers.append(parameter("header", name, schema, isRequired: false))
        }
        return path + query + headers
    }

    private static func parameter(_ place: String, _ name: String, _ schema: Schema, isRequired: Bool) -> JSONValue {
        ["in": .string(place), "name": .string(name), "required": .bool(isRequired), "schema": schema.json]
    }

    private static func responses(_ route: Route, _ caller: Route.Caller) -> [String: JSONValue] {
        var responses: [String: JSONValue] = [:]
        var contents: [Int: [String: JSONValue]] = [:]
        for answer in route.answers {
            var response: [String: JSONValue] = ["description": .string(answer.about)]
            var headers = ["X-Request-Id"]
            if answer.setsCookie { headers += ["Set-Cookie", "DPoP-Nonce"] }
            if route.traits.contains(.entityTag) || (route.traits.contains(.ifMatch) && answer.status != 204) { headers.append("ETag") }
            if route.acceptsIdempotencyKey(by: caller) { headers.append("Idempotent-Replayed") }
            response["headers"] = HeaderFields.references(headers)
            if let schema = answer.schema {
                // One status may have several media types.
                var content = contents[answer.status] ?? [:]
                content[answer.mediaType] = ["schema": schema.json]
                contents[answer.status] = content
                response["content"] = .object(content)
            }
            responses[String(answer.status)] = .object(response)
        }
        if route.traits.contains(.entityTag) {
            responses["304"] = [
                "description": "The version that the caller has read", "headers": HeaderFields.references(["X-Request-Id", "ETag"]),
            ]
        }
        for failure in ErrorResponseSchema.all(route, caller) {
            responses[String(failure.status)] = ["$ref": .string("#/components/responses/\(failure.name)")]
        }
        return responses
    }

    /// Error responses. Those that several routes share are described once.
    private static func errorResponses(_ routes: [(route: Route, caller: Route.Caller)]) -> JSONValue {
        let all = Set(routes.flatMap { ErrorResponseSchema.all($0.route, $0.caller) })
        return .object(Dictionary(all.map { ($0.name, $0.json) }) { first, _ in first })
    }

    /// Every type that is mentioned, and what those mention in turn.
    static func schemas(_ roots: [Schema]) -> JSONValue {
        var found: [String: JSONValue] = [:]
        var open = roots.flatMap(\.references)
        while let type = open.popLast() {
            let name = Schema.name(of: type)
            guard found[name] == nil else { continue }
            found[name] = type.schema.withExample(type.example).json
            open += type.schema.references
        }
        return .object(found)
    }
}

extension Route {
    /// Whatever it takes, answers and fails with.
    var schemas: [Schema] {
        let errors: Schema =
            isOfGuestFamily ? .of(GuestErrorAnswer.self) : isOfMobileFamily ? .of(MobileErrorAnswer.self) : .of(ErrorAnswer.self)
        return answers.compactMap(\.schema) + (body.map { [$0.schema] } ?? []) + query.map(\.schema) + [errors]
    }
}

extension Route.Caller {
    fileprivate func security(isOpenToPhones: Bool) -> JSONValue {
        let phone: [JSONValue] = isOpenToPhones ? [["phone": []]] : []
        return switch self {
        case .unauthenticated: []
        case .person: .array([["household": []]] + phone)
        case .guest: [["guest_pass": []]]
        case .personOrGuest: .array([["household": []], ["guest_pass": []]] + phone)
        case .waitingPhone: [["waiting_phone": []]]
        }
    }
}

extension Route.Capability {
    fileprivate var tagDescription: String {
        switch self {
        case .access: "Attempts, and why they were allowed or refused"
        case .people: "People and invitations"
        case .sessions: "Sign-in and sessions"
        case .guests: "Guest passes, for hosts and for guests"
        case .devices: "Devices, their states and their control"
        case .events: "Events, cameras and incidents"
        case .tags: "Buttons, tags and live links"
        case .notices: "Notifications and push"
        case .mind: "Questions, memory, mood, automations, twins and what-if"
        case .journal: "Realtime events"
        case .privacy: "Personal data, retention, export, erasure, backups and the audit log"
        case .operations: "Health, readiness and metrics"
        }
    }
}
