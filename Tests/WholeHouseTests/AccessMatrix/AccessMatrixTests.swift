import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

@testable import CardeaHTTP
@testable import CardeaHub

/// Every operation by every caller on every kind of object. The cells are made from the hub's real routes; `Policy` says what is right in
/// each.
@Suite("Access matrix over all routes", .timeLimit(.minutes(10)))
struct AccessMatrixTests {
    private struct Cell: Sendable {
        let operation: MatrixOperation
        let visitor: MatrixCaller
        let thing: ResourceOwnership
        let expected: ExpectedOutcome

        var name: String { "\(operation.name) by \(visitor.name)\(thing == .none ? "" : ", \(thing.rawValue)")" }
        var mayChange: Bool { expected == .done && operation.method != .get && operation.method != .head }
        /// True if a pass that is not valid now is only read. Such a read is counted, and is not a failed attempt.
        var isReadOnly: Bool {
            guard case .guest = visitor.identity else { return false }
            return !operation.path.hasPrefix(SigningGuest.path)
        }
        /// True if the proof was valid once, and has to be used up first.
        var isReplay: Bool { visitor.identity == .guest(.replayed) && operation.path == SigningGuest.path }
    }

    private struct PreparedRequest: Sendable {
        let uri: String
        let method: HTTPRequest.Method
        let headers: HTTPFields
        let body: String?
    }

    private struct Answer: Sendable {
        let status: Int
        let body: JSONValue
        let headers: HTTPFields

        /// The parts that distinguish one refusal from another, without its request id and its time.
        var words: [JSONValue] {
            let error = body["error"]
            return [
                .number(Double(status)), error?["code"] ?? error ?? .null, error?["message"] ?? body["message"] ?? .null,
                error?["details"] ?? .null, body["results"]?.array.first?["code"] ?? .null,
            ]
        }
    }

    private struct Observation: Sendable {
        let cell: Cell
        let answer: Answer
    }

    @Test("A route without a policy fails, and so does a policy without a route")
    func complete() async throws {
        let routes = try await MatrixHouse.routes()
        let policies = AccessPolicy.rows.map { "\($0.method == .head ? .get : $0.method) \($0.path)" }
        let files = routes.filter { AccessPolicy.isFile(String($0.dropFirst("GET ".count))) }
        #expect(Set(routes).subtracting(files).subtracting(policies) == [], "say in Policy who may ask it")
        #expect(Set(policies).subtracting(routes) == [], "no such route")
        #expect(Set(routes).count == routes.count)
    }

    /// The number of parts that run in parallel.
    private static let batchCount = TestRepetitions.of(4, full: 8)

    @Test(
        "Every cell matches the policy, refusals change no row, and each refusal of a known caller is audited",
        arguments: 0..<Self.batchCount)
    func matrix(share: Int) async throws {
        let house = try await MatrixHouse()
        let cells = AccessPolicy.rows.flatMap { operation in
            house.visitors.gateSample.flatMap { visitor in
                operation.things.map {
                    Cell(operation: operation, visitor: visitor, thing: $0, expected: operation.expectedOutcome(visitor, $0))
                }
            }
        }
        let size = cells.count / Self.batchCount + 1
        let part = cells[share * size..<min((share + 1) * size, cells.count)]
        let faults = try await Self.run(part, in: house)
        let routes = Set(AccessPolicy.rows.map(\.name)).count
        print(
            "\(part.count) of \(cells.count) cells: \(routes) operations, \(house.visitors.gateSample.count) visitors; \(faults.count) wrong"
        )
        #expect(faults.isEmpty, "\(faults.count) wrong:\n\(faults.joined(separator: "\n"))")
        #expect(cells.count > TestRepetitions.of(1000, full: 7000) && part.count > cells.count / (2 * Self.batchCount))
    }

    @Test("A session without recent proof cannot widen anyone's door access on any route")
    func staleSessions() async throws {
        let house = try await MatrixHouse()
        let stale = house.visitors.all.filter { visitor in
            [.owner, .admin].contains(visitor.position) && !visitor.hasRecentProof && !visitor.isPhone
        }
        #expect(stale.count == 2)
        let rows = AccessPolicy.rows.filter { ![.get, .head].contains($0.method) } + AccessPolicy.openingRoutes
        let cells = rows.flatMap { operation in
            stale.prefix(TestRepetitions.of(1, full: 2)).flatMap { visitor in
                operation.things.filter { [.none, .own, .anothers].contains($0) }.map {
                    Cell(operation: operation, visitor: visitor, thing: $0, expected: operation.expectedOutcome(visitor, $0))
                }
            }
        }
        let faults = try await Self.run(cells[...], in: house)
        #expect(faults.isEmpty, "\(faults.count) wrong:\n\(faults.joined(separator: "\n"))")
        // The same by a caller with a recent step-up: the refusal above is for the missing one.
        let owner = try #require(house.visitors.all.first { $0.position == .owner && $0.hasRecentProof })
        let allowed = AccessPolicy.openingRoutes.flatMap { operation in
            operation.things.map { Cell(operation: operation, visitor: owner, thing: $0, expected: operation.expectedOutcome(owner, $0)) }
        }
        #expect(try await Self.run(allowed[...], in: house) == [])
    }

    @Test("A wrong policy is detected")
    func control() async throws {
        let house = try await MatrixHouse()
        // Let through to no people, to all guests, and with a pass refused without an entry.
        let wrong = [
            (MatrixOperation(.get, "/api/v1/people", .everybody), ExpectedOutcome.notSignedIn),
            (MatrixOperation(.get, "/api/v1/guests", .everybody), .done),
            (MatrixOperation(.get, "/api/guest_access/pass", .everybody), .forbidden),
        ]
        for (operation, verdict) in wrong {
            let right = try #require(AccessPolicy.rows.first { $0.name == operation.name })
            let visitors = house.visitors.all.filter { right.expectedOutcome($0, .none) != verdict }
            let cells = visitors.map { Cell(operation: operation, visitor: $0, thing: .none, expected: verdict) }
            let faults = try await Self.run(cells[...], in: house)
            for visitor in visitors {
                #expect(faults.contains { $0.contains(" by \(visitor.name):") }, "\(operation.name) \(visitor.name)")
            }
        }
    }

    // MARK: Requests

    /// Sends every cell's request. After an expected change, the house is set up again.
    private static func run(_ cells: ArraySlice<Cell>, in house: MatrixHouse) async throws -> [String] {
        var (left, faults, seen) = (cells, [String](), [Observation]())
        while !left.isEmpty {
            let rest = left
            let (asked, found) = try await house.open { try await perform(rest, house.visitors, $0, $1) }
            left = left.dropFirst(asked.count)
            faults += found
            seen += asked
        }
        return faults + distinguishableRefusals(seen)
    }

    private static func perform(
        _ cells: ArraySlice<Cell>, _ visitors: MatrixCallers, _ house: TestHouse, _ client: any TestClientProtocol
    ) async throws -> (asked: [Observation], faults: [String]) {
        let before = try await DatabaseContents(house.store, without: DatabaseContents.bookkeepingTables)
        let access = try await Self.access(house)
        let watch = house.store.observe(Set(before.tables.keys))
        guard let owner = visitors.all.first(where: { $0.position == .owner })?.auditID else { throw CancellationError() }
        let reader = Principal.person(id: owner, sessionID: "")
        var (asked, faults) = ([Observation](), [String]())
        for cell in cells {
            if cell.mayChange || cell.isReplay, !asked.isEmpty {
                let changed = try await DatabaseContents(house.store, without: DatabaseContents.bookkeepingTables).changedTables(
                    from: before)
                if !changed.isEmpty { faults.append("refusals before \(cell.name) changed \(changed)") }
            }
            // In memory callers have no address, so together all unknown callers would soon be throttled.
            if [.notSignedIn, .passIsOver].contains(cell.expected) { try await house.resetThrottles() }
            let request = try await request(cell, visitors, client, at: house.clock.now)
            if cell.isReplay {
                let first = try await send(request, client)
                if first.status == 401 { faults.append("\(cell.name): refused the first time already, \(first.body)") }
            }
            let (commits, backendCommands) = (watch.changeCount, house.doorBackend.backendCommands.count)
            let newest = cell.expected.isOnRecord ? try await entries(house, reader, 1).first?.id : nil
            let looks = cell.expected.isOnRecord && cell.isReadOnly ? try await Self.readCount(house, of: cell.visitor) : 0
            let answer = try await send(request, client)
            asked.append(Observation(cell: cell, answer: answer))
            if let fault = mismatch(answer, cell) { faults.append("\(cell.name): \(fault), not \(cell.expected) \(answer.body)") }
            if cell.expected.isOnRecord {
                let new = try await entries(house, reader, 3).prefix { $0.id != newest }
                if cell.isReadOnly {
                    let counted = try await Self.readCount(house, of: cell.visitor) - looks
                    if !new.isEmpty || counted != 1 { faults.append("\(cell.name): \(counted) looks counted, \(new.count) on record") }
                } else if new.map(\.result) != ["refused"] || new.first?.whoID != cell.visitor.auditID {
                    faults.append("\(cell.name): on record is \(new.map { "\($0.action) \($0.result) by \($0.whoID ?? "nobody")" })")
                }
            }
            if cell.expected != .done, house.doorBackend.backendCommands.count != backendCommands {
                faults.append("\(cell.name): a door was moved")
            }
            let isChanged = watch.changeCount != commits
            // A door that opened the first time may still be written.
            let isExpected = cell.mayChange || (cell.isReplay && cell.thing == .own)
            if isChanged, !isExpected { faults.append("\(cell.name): rows were changed") }
            if isChanged, !cell.visitor.hasRecentProof, cell.visitor.position != nil {
                let own = cell.visitor.auditID.map { Principal.person(id: $0, sessionID: "").key }
                let widened = try await Self.access(house).widenedPaths(since: access, besides: own)
                if !widened.isEmpty { faults.append("\(cell.name): lets others open more than before: \(widened)") }
            }
            guard !isChanged, !cell.isReplay else { return (asked, faults) }
        }
        let changed = try await DatabaseContents(house.store, without: DatabaseContents.bookkeepingTables).changedTables(from: before)
        if !changed.isEmpty { faults.append("refusals at the end changed \(changed)") }
        return (asked, faults)
    }

    private static func access(_ house: TestHouse) async throws -> EffectiveAccess {
        let now = house.clock.now
        return try await house.store.read { try EffectiveAccess.read(at: now, $0) }
    }

    private static func entries(_ house: TestHouse, _ reader: Principal, _ limit: Int) async throws -> [ActivityLog.Entry] {
        try await house.hub.activity.entries(.init(limit: limit), seenBy: reader)
    }

    private static func readCount(_ house: TestHouse, of visitor: MatrixCaller) async throws -> Int {
        try await house.hub.guestReadAuditor.writeCounts()
        return try await house.store.read { db in
            try Int.fetchOne(db, sql: "SELECT looks FROM guest_looks WHERE guest_id = ?", arguments: [visitor.auditID]) ?? 0
        }
    }

    private static func request(
        _ cell: Cell, _ visitors: MatrixCallers, _ client: any TestClientProtocol, at now: Date
    ) async throws -> PreparedRequest {
        var path = cell.operation.path
        for kind in cell.operation.kinds {
            guard let start = path.firstIndex(of: "{"), let end = path.firstIndex(of: "}") else { break }
            path.replaceSubrange(start...end, with: visitors.id(kind, cell.thing, for: cell.visitor))
        }
        path = path.replacing("{id}", with: "some").replacing("{page}", with: "some").replacing("{kind}", with: "ring")
        let body = cell.operation.body(cell.visitor, cell.thing, visitors)
        var uri = path + cell.operation.query(cell.visitor, cell.thing, visitors)
        var headers: HTTPFields = [.origin: "http://localhost"]
        if !cell.operation.showsInBody {
            headers[values: .authorization] = cell.visitor.authorization
            for item in cell.visitor.queryParameters { uri += (uri.contains("?") ? "&" : "?") + item }
            let given = try await nonces(to: cell.visitor, path, client)
            headers.append(contentsOf: try cell.visitor.proof(of: cell.operation.method, path, body ?? "", given: given, at: now))
        }
        if body != nil { headers[.contentType] = "application/json" }
        return PreparedRequest(uri: uri, method: cell.operation.method, headers: headers, body: body)
    }

    /// The nonce that the house issues for signing, if a proof is required. Elsewhere none is required, and the values are made up.
    private static func nonces(
        to visitor: MatrixCaller, _ path: String, _ client: any TestClientProtocol
    ) async throws -> (nonce: String, jti: String) {
        guard visitor.proofKey != nil, path == SigningGuest.path else { return ("none", "none") }
        let answer = try await client.executeRequest(
            uri: SigningGuest.path + "/nonce", method: .get, headers: [.authorization: "Bearer \(visitor.secret)"], body: nil)
        let json = JSONValue.read(Array(answer.body.readableBytesView)) ?? .null
        return (json["nonce"]?.string ?? "none", json["jti"]?.string ?? "none")
    }

    private static func send(_ asked: PreparedRequest, _ client: any TestClientProtocol) async throws -> Answer {
        let answer = try await client.executeRequest(
            uri: asked.uri, method: asked.method, headers: asked.headers, body: asked.body.map(ByteBuffer.init(string:)))
        let json = JSONValue.read(Array(answer.body.readableBytesView)) ?? .null
        return Answer(status: answer.status.code, body: json, headers: answer.headers)
    }

    // MARK: Judging

    /// The difference between an answer and the expected one; nil if there is none.
    private static func mismatch(_ answer: Answer, _ cell: Cell) -> String? {
        let error = answer.body["error"]
        let code = error?["code"]?.string ?? error?.string
        let isRight =
            switch cell.expected {
            case .done: cell.operation.done.contains(answer.status) && (cell.operation.doneCode == nil || cell.operation.doneCode == code)
            case .notSignedIn, .passIsOver: answer.status == 401 && answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer realm=") == true
            case .proofRequired: answer.status == 401 && code == "action_proof_required"
            case .proofInvalid: answer.status == 401 && code == "action_proof_invalid"
            case .proofReplayed: answer.status == 401 && code == "action_proof_replay"
            case .forbidden: answer.status == 403 && code != "step_up_required"
            case .stepUp: answer.status == 403 && code == "step_up_required"
            case .notFound: answer.status == 404
            case .invalid: answer.status == 400
            case .refusedInside: answer.status == 200 && answer.body["results"]?.array.first?["status"] == "refused"
            }
        let inside = cell.operation.path.hasSuffix("batch-control") && cell.expected == .done
        if inside, answer.body["results"]?.array.first?["status"] != "confirmed" { return "not done" }
        return isRight ? nil : "\(answer.status) \(code ?? "")"
    }

    /// Refusals of one caller on one route that would tell another person's object from a missing one.
    private static func distinguishableRefusals(_ seen: [Observation]) -> [String] {
        let hidden = seen.filter { seen in
            let (visitor, operation, thing) = (seen.cell.visitor, seen.cell.operation, seen.cell.thing)
            // A resident sees every device in the list; that one of them is not theirs to open is no secret.
            let isListed = thing == .anothers && operation.kinds == [.device] && visitor.holds(.controlDevices)
            return seen.cell.expected != .done && thing != .own && thing != .none && !isListed
        }
        return Dictionary(grouping: hidden) { "\($0.cell.operation.name) by \($0.cell.visitor.name): \($0.cell.expected)" }
            .compactMap { name, cells in
                let words = Set(cells.map(\.answer.words))
                return words.count == 1 ? nil : "\(name) is told in \(words.count) ways: \(words)"
            }
    }
}
