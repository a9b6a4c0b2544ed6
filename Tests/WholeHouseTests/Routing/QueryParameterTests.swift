import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

/// Every query parameter of `/openapi.json`, in camelCase and with an invalid value.
@Suite("Query parameters", .timeLimit(.minutes(5)))
struct QueryParameterTests {
    private struct Parameter {
        let name: String
        let schema: JSONValue

        var camelCase: String {
            let words = name.split(separator: "_")
            return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        }

        var example: String? { schema["examples"]?.elements?.first?.string }

        /// Values that the schema does not allow; none if it allows every text.
        var illFormed: [String] {
            switch schema["type"]?.string {
            case "integer", "number":
                let below = schema["minimum"]?.number.map { String(Int($0) - 1) }
                let above = schema["maximum"]?.number.map { String(Int($0) + 1) }
                return ["nonsense"] + [below, above].compactMap(\.self)
            case "boolean": return ["nonsense"]
            default:
                let long = schema["maxLength"]?.number.map { String(repeating: "a", count: Int($0) + 1) }
                return ["nonsense", long].compactMap(\.self).filter { value in
                    schema["format"] == "date" || !JSONSchemaValidator(document: .null).problems(of: .string(value), schema).isEmpty
                }
            }
        }
    }

    private static func parameters(_ operation: OpenAPIContract.Operation) -> [Parameter] {
        (operation.description["parameters"]?.elements ?? []).filter { $0["in"] == "query" }.compactMap { parameter in
            parameter["name"]?.string.map { Parameter(name: $0, schema: parameter["schema"] ?? .null) }
        }
    }

    private static func query(_ values: [(name: String, value: String)]) -> String {
        values.map { "\($0.name)=\($0.value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }.joined(separator: "&")
    }

    private static func send(
        _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ uri: String, token: String? = nil, body: String? = nil
    ) async throws -> (status: Int, body: JSONValue) {
        var headers: HTTPFields = [:]
        if let token { headers[.authorization] = "Bearer \(token)" }
        if body != nil { headers[.contentType] = "application/json" }
        let answer = try await client.executeRequest(uri: uri, method: method, headers: headers, body: body.map(ByteBuffer.init(string:)))
        return (answer.status.code, (try? JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))) ?? .null)
    }

    @Test("A malformed value is rejected by parameter name on every route that declares one, also in camelCase")
    func illFormed() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let phone = try await Self.send(
                client, .post, "/api/v1/mobile/auth/pair",
                body: #"{"device_id":"6f1d2c1e-6d0b-4f7c-9c1a-1e2d3c4b5a69","device_name":"Ada's phone","device_model":"iPhone 17"}"#)
            let waiting = try #require(phone.body["device_code"]?.string)
            var refused = 0
            for operation in try await OpenAPIContract.read(client).operations {
                let isWaiting = operation.description["security"]?.elements?.contains { $0["waiting_phone"] != nil } ?? false
                let path = operation.path.replacing("/devices/{id}", with: "/devices/hall-sensor").replacing("{id}", with: "nobody")
                let parameters = Self.parameters(operation)
                for parameter in parameters {
                    let others = parameters.filter { $0.name != parameter.name }.compactMap { other in
                        other.example.map { (name: other.camelCase, value: $0) }
                    }
                    for value in parameter.illFormed {
                        let query = Self.query(others + [(name: parameter.camelCase, value: value)])
                        let answer = try await Self.send(
                            client, operation.method, "\(path)?\(query)", token: isWaiting ? waiting : tokens.access.reveal())
                        #expect(answer.status == 400, "\(path)?\(query.prefix(200)): \(answer.body)")
                        #expect(answer.body["error"]?["details"]?["field"] == .string(parameter.name), "\(path)?\(query.prefix(200))")
                        refused += 1
                    }
                }
            }
            #expect(refused > 60)
        }
    }

    @Test("A camelCase parameter equals the snake_case one")
    func camelCase() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let token = tokens.access.reveal()
            for base in ["/api/v1", "/v1"] {
                func get(_ path: String) async throws -> JSONValue { try await Self.send(client, .get, base + path, token: token).body }
                #expect(try await get("/consciousness/emotions?timeRange=1h&includeHistory=true")["history"] != nil)
                #expect(try await get("/consciousness/emotions?timeRange=1h&includeHistory=false")["history"] == nil)
                let lights = try await get("/devices?deviceType=light&status=online")
                #expect(lights["total"] == 1 && lights["filters_applied"] == ["type": "light", "status": "online"])
                // A value is left unchanged.
                #expect(try await get("/devices?q=hallLight")["filters_applied"] == ["q": "hallLight"])
            }
        }
    }
}
