import CardeaAPI
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// One thing of the house in the wire's form.
struct ReplicaDocument: Sendable {
    let kind: ReplicaDocumentKind
    let id: String
    /// The house's own JSON.
    let json: Data

    init(_ kind: ReplicaDocumentKind, _ id: String, json: Data) {
        self.kind = kind
        self.id = id
        self.json = json
    }

    init(_ kind: ReplicaDocumentKind, _ id: String, _ answer: some Encodable) throws {
        self.init(kind, id, json: try WireFormat.encode(answer))
    }

    /// The version, for things that people edit.
    var version: Int? { JSONValue.read([UInt8](json))?["version"]?.number.flatMap { Int(exactly: $0) } }

    func read<Answer: Decodable>(_: Answer.Type = Answer.self) throws -> Answer {
        try WireFormat.read(Answer.self, from: json)
    }
}

extension ReplicaDocument {
    func outline() throws -> ReplicaDocumentOutline { try JSONDecoder().decode(ReplicaDocumentOutline.self, from: json) }
}
