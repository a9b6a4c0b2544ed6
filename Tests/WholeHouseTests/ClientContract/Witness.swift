import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Synchronization
import Testing

/// Holds what the client reads against what the hub sends and what it promises, field by field.
final class Witness: Sendable {
    let contract: Contract
    let line: Overheard
    private let found = Mutex<Set<String>>([])

    init(_ contract: Contract, _ line: Overheard) {
        self.contract = contract
        self.line = line
    }

    /// What drifted: `GET /api/v1/house $.name: …`
    var problems: Set<String> { found.withLock(\.self) }

    /// A call that returns what it read.
    @discardableResult
    func reads<Answer: Codable & Sendable>(_ call: () async throws -> Answer) async throws -> Answer {
        let answer = try await call()
        try compare(Answer.self, answer)
        return answer
    }

    /// A call that makes something else of what it read.
    @discardableResult
    func reads<Answer: Codable & Sendable, Result>(as _: Answer.Type, _ call: () async throws -> Result) async throws -> Result {
        let result = try await call()
        try compare(Answer.self, Wire.read(Answer.self, from: try #require(line.exchanges.last).response.body))
        return result
    }

    /// A call whose answer has nothing to say, or of which only the asking is looked at.
    func asks(_ call: () async throws -> Void) async {
        // What became of it is no matter here: what was asked is looked at in the end.
        try? await call()
    }

    private func compare<Answer: Codable>(_: Answer.Type, _ answer: Answer) throws {
        let exchange = try #require(line.exchanges.last)
        let operation = try #require(contract.operation(exchange), "\(exchange.request) is not in the contract")
        let sent = try JSONDecoder().decode(JSONValue.self, from: exchange.response.body)
        note(Self.drift(sent, try JSONDecoder().decode(JSONValue.self, from: Wire.encode(answer))), of: operation)
        promises(Answer.self, operation, status: exchange.response.status)
    }

    /// Whatever the contract allows is read, and all of it.
    func promises<Answer: Codable>(_: Answer.Type, _ operation: Contract.Operation, status: Int) {
        guard let schema = operation.description["responses"]?["\(status)"]?["content"]?["application/json"]?["schema"] else {
            note(["$: \(status) has no JSON in the contract"], of: operation)
            return
        }
        for turn in 0..<12 {
            for isFull in [true, false] {
                let made = Instance(document: contract.document, isFull: isFull, turn: turn).of(schema)
                do {
                    let read = try Wire.read(Answer.self, from: JSONEncoder().encode(made))
                    note(Self.drift(made, try JSONDecoder().decode(JSONValue.self, from: Wire.encode(read))), of: operation)
                } catch {
                    note(["$: \(Answer.self) does not read \(isFull ? "all" : "the least") that is promised: \(error)"], of: operation)
                }
            }
        }
    }

    private func note(_ problems: [String], of operation: Contract.Operation) {
        found.withLock { $0.formUnion(problems.map { "\(operation.method.rawValue) \(operation.path) \($0)" }) }
    }

    /// Fields that one side has and the other has not. What is null is not there.
    static func drift(_ sent: JSONValue, _ read: JSONValue, at place: String = "$") -> [String] {
        switch (sent, read) {
        case (.object(let sent), .object(let read)):
            Set(sent.keys).union(read.keys).flatMap { name -> [String] in
                switch (sent[name] ?? .null, read[name] ?? .null) {
                case (.null, .null): []
                case (_, .null): ["\(place).\(name) is sent and not read"]
                case (.null, _): ["\(place).\(name) is read and not sent"]
                case (let sent, let read): drift(sent, read, at: "\(place).\(name)")
                }
            }
        case (.array(let sent), .array(let read)) where sent.count == read.count:
            zip(sent, read).flatMap { drift($0, $1, at: "\(place)[]") }
        case (.array, .array): ["\(place) is read with more or fewer elements"]
        case (.array, .object): ["\(place) is sent as a list and read as one"]
        default: sent == read ? [] : ["\(place) is \(sent), and read as \(read)"]
        }
    }

    /// What of the requests is not as the contract has it.
    var askedWrongly: [String] {
        line.exchanges.flatMap { exchange -> [String] in
            guard let operation = contract.operation(exchange) else { return ["\(exchange.request) is not in the contract"] }
            let schema = operation.description["requestBody"]?["content"]?["application/json"]?["schema"]
            guard let body = exchange.request.body else {
                return operation.description["requestBody"]?["required"] == true ? ["\(exchange.request): no body"] : []
            }
            guard let schema, let sent = try? JSONDecoder().decode(JSONValue.self, from: body) else {
                return ["\(exchange.request): a body that nobody asked for"]
            }
            return Shape(document: contract.document).problems(of: sent, schema).map { "\(exchange.request): \($0)" }
        }
    }
}

extension Contract {
    /// The operation that was asked for.
    func operation(_ exchange: Overheard.Exchange) -> Operation? {
        HTTPRequest.Method(rawValue: exchange.request.method.rawValue).flatMap { operation($0, exchange.request.url.path) }
    }
}
