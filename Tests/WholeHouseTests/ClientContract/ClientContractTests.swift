import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Synchronization
import Testing

/// The client calls a real hub with everything it can send, and each answer is read, encoded again, and compared with the received one and
/// with `/openapi.json`: a field that one side gains and the other does not know is found here.
@Suite("Client and hub agree on the contract's fields", .timeLimit(.minutes(5)))
struct ClientContractTests {
    /// The allowed differences, each with its reason.
    private static let allowed: [String: String] = {
        var allowed: [String: String] = [:]
        for call in ["GET /api/v1/scenes $.scenes[].actions[]", "POST /api/v1/scenes $.actions[]", "PUT /api/v1/scenes/{id} $.actions[]"] {
            allowed["\(call).id is sent and not read"] =
                "an answer's action has the shape of a body's, whose `id` is taken in and never sent"
        }
        let one = ["GET /api/guest_access/pass", "POST /api/guest_access/pair", "POST /api/guest_access/token/validate"]
        let guests =
            ["GET /api/v1/guests/{id}", "POST /api/v1/guests"]
            + ["approve", "reject", "suspend", "resume", "revoke"].map { "POST /api/v1/guests/{id}/\($0)" }
        for place in (one + guests).map({ "\($0) $" }) + ["GET /api/v1/guests $.guests[]"] {
            allowed["\(place).schedule is sent as a list and read as one"] = "a list of one line means the same as the line alone"
        }
        let devices = [
            ("GET /api/v1/devices $.devices[]", isEverNull: false), ("GET /api/v1/devices/{id} $", true),
            ("PATCH /api/v1/devices/{id} $", true),
        ]
        for (place, isEverNull) in devices {
            let reason = "the client makes it of `state` and `attributes`, as the hub does, and holds nothing twice"
            allowed["\(place).current_state.something is sent and not read"] = reason
            allowed["\(place).current_state.custom_attributes is read and not sent"] = reason
            if isEverNull { allowed["\(place).current_state is read and not sent"] = reason }
        }
        let ofTheOutcome = [
            "action", "entity_id", "error", "next_opening", "reason", "remaining_uses", "state", "status", "success", "use_returned",
            "used_count",
        ]
        for field in ofTheOutcome {
            for call in ["POST /api/guest_access/action", "POST /api/guest_access/pair"] {
                allowed["\(call) $.\(field) is sent and not read"] = "who waits for a yes is told how long; all else is of the outcome"
            }
        }
        return allowed
    }()

    @Test("The client decodes what the hub sends and specifies, and the hub accepts what the client sends")
    func fields() async throws {
        try await HubTransport.router.run { house, _, router in
            let line = RecordingTransport(RouterTransport(router))
            let witness = ContractChecker(try await OpenAPIContract.read(router), line)
            let visit = try ClientExerciser(house: house, line: line, witness: witness)
            try await visit.exerciseAll()

            let drifted = witness.problems.filter { Self.allowed[$0] == nil }
            for problem in drifted.sorted() { Issue.record("\(problem)") }
            #expect(Set(Self.allowed.keys).subtracting(witness.problems) == [], "allowed, and no longer so")
            #expect(witness.requestProblems == [])
            let unheard = try ClientCall.allInSources().filter { call in !line.exchanges.contains { call.matches($0.request) } }
            // Downloads use another connection: test_audit_export.py and test_privacy.py test both with the real terminal.
            #expect(Set(unheard.map(\.description)) == ["POST /api/v1/audit/export", "GET /api/v1/jobs/*/archive"])
        }
    }

    @Test("The contract checker detects unread fields, invented fields and unknown enum values")
    func witness() {
        #expect(ContractChecker.differences(["a": 1, "b": [["c": 2]]], ["a": 1, "b": [["c": 2]]]) == [])
        #expect(ContractChecker.differences(["a": 1, "b": .null], ["a": 1]) == [])
        #expect(ContractChecker.differences(["a": ["b": 1]], ["a": [:]]) == ["$.a.b is sent and not read"])
        #expect(ContractChecker.differences(["a": [["b": .null]]], ["a": [["b": 1]]]) == ["$.a[].b is read and not sent"])
        #expect(ContractChecker.differences(["a": "x"], ["a": "y"]).count == 1)
        let schema: JSONValue = ["type": "object", "properties": ["a": ["enum": ["x", "y"]], "b": ["type": "string"]], "required": ["a"]]
        #expect(SchemaInstanceGenerator(document: .null, turn: 1).generate(schema) == ["a": "y", "b": "text"])
        #expect(SchemaInstanceGenerator(document: .null, isFull: false).generate(schema) == ["a": "x"])
    }
}

/// A call in the client's code.
struct ClientCall: Hashable, CustomStringConvertible {
    let method: String
    /// Segments of the path; an id, or a segment that the code chooses, is nil.
    let segments: [String?]

    var description: String { "\(method) /" + segments.map { $0 ?? "*" }.joined(separator: "/") }

    func matches(_ request: TransportRequest) -> Bool {
        let path = request.url.path.split(separator: "/").map(String.init)
        return request.method.rawValue == method && path.count == segments.count
            && zip(path, segments).allSatisfy { $1 == nil || $0 == $1 }
    }

    /// Every call in the client's sources. The event stream has its own tests.
    static func allInSources() throws -> Set<ClientCall> {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appending(path: "Sources/CardeaClient")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)).compactMap { $0 as? URL }
        var calls: Set<ClientCall> = []
        for file in files where file.pathExtension == "swift" {
            // Samples in comments are not calls.
            let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
                !$0.drop { $0 == " " }.hasPrefix("//")
            }
            let text = code.joined(separator: "\n")
            for match in text.matches(of: /\.get\(((?:"[a-z0-9_-]+"|\.id\(\w+\))(?:, (?:"[a-z0-9_-]+"|\.id\(\w+\)))*)/) {
                calls.insert(ClientCall(method: "GET", segments: segments(match.1)))
            }
            for match in text.matches(of: /\.write\(\s*\.(post|put|patch|delete), \[([^\]]*)\](?! \+)/) {
                calls.insert(ClientCall(method: match.1.uppercased(), segments: segments(match.2)))
            }
            for match in text.matches(of: /request\(\[("[^\]]*)\]/) {
                calls.insert(ClientCall(method: "POST", segments: ["api", "guest_access"] + segments(match.1)))
            }
        }
        try #require(calls.count > 40)
        return calls.subtracting([ClientCall(method: "GET", segments: ["api", "v1", "realtime", "events"])])
    }

    private static func segments(_ text: Substring) -> [String?] {
        text.split(separator: ", ").map { part in
            part.wholeMatch(of: /"([a-z0-9_-]+)"/).map { String($0.1) }
        }
    }
}
