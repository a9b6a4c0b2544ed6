import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Synchronization
import Testing

/// Compares what the client reads with what the hub sends and documents, field by field.
final class ContractChecker: Sendable {
    let contract: OpenAPIContract
    let recorder: RecordingTransport
    private let problemSet = Mutex<Set<String>>([])

    init(_ contract: OpenAPIContract, _ line: RecordingTransport) {
        self.contract = contract
        self.recorder = line
    }

    /// The differences found: `GET /api/v1/house $.name: …`
    var problems: Set<String> { problemSet.withLock(\.self) }

    /// A call that returns what it read.
    @discardableResult
    func checkRead<Answer: Codable & Sendable>(_ call: () async throws -> Answer) async throws -> Answer {
        let answer = try await call()
        try compare(Answer.self, answer)
        return answer
    }

    /// A call that converts what it read.
    @discardableResult
    func checkRead<Answer: Codable & Sendable, Result>(as _: Answer.Type, _ call: () async throws -> Result) async throws -> Result {
        let result = try await call()
        try compare(Answer.self, WireFormat.read(Answer.self, from: try #require(recorder.exchanges.last).response.body))
        return result
    }

    /// A call with an empty answer, or of which only the request is checked.
    func checkRequest(_ call: () async throws -> Void) async {
        // Its result does not matter here: the requests are checked at the end.
        try? await call()
    }

    private func compare<Answer: Codable>(_: Answer.Type, _ answer: Answer) throws {
        let exchange = try #require(recorder.exchanges.last)
        let operation = try #require(contract.operation(exchange), "\(exchange.request) is not in the contract")
        let sent = try JSONDecoder().decode(JSONValue.self, from: exchange.response.body)
        record(Self.differences(sent, try JSONDecoder().decode(JSONValue.self, from: WireFormat.encode(answer))), of: operation)
        checkDocumentedAnswer(Answer.self, operation, status: exchange.response.status)
    }

    /// Checks that every answer allowed by the contract is read completely.
    func checkDocumentedAnswer<Answer: Codable>(_: Answer.Type, _ operation: OpenAPIContract.Operation, status: Int) {
        guard let schema = operation.description["responses"]?["\(status)"]?["content"]?["application/json"]?["schema"] else {
            record(["$: \(status) has no JSON in the contract"], of: operation)
            return
        }
        for turn in 0..<12 {
            for isFull in [true, false] {
                let made = SchemaInstanceGenerator(document: contract.document, isFull: isFull, turn: turn).generate(schema)
                do {
                    let read = try WireFormat.read(Answer.self, from: JSONEncoder().encode(made))
                    record(Self.differences(made, try JSONDecoder().decode(JSONValue.self, from: WireFormat.encode(read))), of: operation)
                } catch {
                    record(["$: \(Answer.self) does not read \(isFull ? "all" : "the least") that is promised: \(error)"], of: operation)
                }
            }
        }
    }

    private func record(_ problems: [String], of operation: OpenAPIContract.Operation) {
        problemSet.withLock { $0.formUnion(problems.map { "\(operation.method.rawValue) \(operation.path) \($0)" }) }
    }

    /// Fields that one side has and the other has not. Null counts as missing.
    static func differences(_ sent: JSONValue, _ read: JSONValue, at place: String = "$") -> [String] {
        switch (sent, read) {
        case (.object(let sent), .object(let read)):
            Set(sent.keys).union(read.keys).flatMap { name -> [String] in
                switch (sent[name] ?? .null, read[name] ?? .null) {
                case (.null, .null): []
                case (_, .null): ["\(place).\(name) is sent and not read"]
                case (.null, _): ["\(place).\(name) is read and not sent"]
                case (let sent, let read): differences(sent, read, at: "\(place).\(name)")
                }
            }
        case (.array(let sent), .array(let read)) where sent.count == read.count:
            zip(sent, read).flatMap { differences($0, $1, at: "\(place)[]") }
        case (.array, .array): ["\(place) is read with more or fewer elements"]
        case (.array, .object): ["\(place) is sent as a list and read as one"]
        default: sent == read ? [] : ["\(place) is \(sent), and read as \(read)"]
        }
    }

    /// Differences from the contract in the requests.
    var requestProblems: [String] {
        recorder.exchanges.flatMap { exchange -> [String] in
            guard let operation = contract.operation(exchange) else { return ["\(exchange.request) is not in the contract"] }
            let schema = operation.description["requestBody"]?["content"]?["application/json"]?["schema"]
            guard let body = exchange.request.body else {
                return operation.description["requestBody"]?["required"] == true ? ["\(exchange.request): no body"] : []
            }
            guard let schema, let sent = try? JSONDecoder().decode(JSONValue.self, from: body) else {
                return ["\(exchange.request): a body that nobody asked for"]
            }
            return JSONSchemaValidator(document: contract.document).problems(of: sent, schema).map { "\(exchange.request): \($0)" }
        }
    }
}

extension OpenAPIContract {
    /// The requested operation.
    func operation(_ exchange: RecordingTransport.Exchange) -> Operation? {
        HTTPRequest.Method(rawValue: exchange.request.method.rawValue).flatMap { operation($0, exchange.request.url.path) }
    }
}
