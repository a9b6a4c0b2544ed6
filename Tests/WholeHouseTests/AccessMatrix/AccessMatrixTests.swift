import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

@testable import CardeaHTTP

/// Every operation, asked by everybody there is, about everything it could be about. The cells are made from the routes that the hub
/// really has; what is right in each is `Policy`'s to say.
@Suite("Who may what, on every route", .timeLimit(.minutes(10)))
struct AccessMatrixTests {
    private struct Cell: Sendable {
        let operation: Operation
        let visitor: Visitor
        let thing: Thing
        let expected: Verdict

        var name: String { "\(operation.name) by \(visitor.name)\(thing == .none ? "" : ", \(thing.rawValue)")" }
        var mayChange: Bool { expected == .done && operation.method != .get && operation.method != .head }
    }

    private struct Answer: Sendable {
        let status: Int
        let body: JSONValue
        let headers: HTTPFields

        /// What tells one refusal from another, without its number and its time.
        var words: [JSONValue] {
            let error = body["error"]
            return [
                .number(Double(status)), error?["code"] ?? error ?? .null, error?["message"] ?? body["message"] ?? .null,
                error?["details"] ?? .null, body["results"]?.array.first?["code"] ?? .null,
            ]
        }
    }

    private struct Seen: Sendable {
        let cell: Cell
        let answer: Answer
    }

    @Test("A route without a policy fails, and so does a policy without a route")
    func complete() async throws {
        let routes = try await MatrixHouse.routes()
        let policies = Policy.rows.map { "\($0.method == .head ? .get : $0.method) \($0.path)" }
        let files = routes.filter { Policy.isFile(String($0.dropFirst("GET ".count))) }
        #expect(Set(routes).subtracting(files).subtracting(policies) == [], "say in Policy who may ask it")
        #expect(Set(policies).subtracting(routes) == [], "no such route")
        #expect(Set(routes).count == routes.count)
    }

    @Test("No cell is otherwise than the policy says, no refusal changes a row, and every refusal of somebody known is on record")
    func matrix() async throws {
        let house = try await MatrixHouse()
        let cells = Policy.rows.flatMap { operation in
            house.visitors.all.flatMap { visitor in
                operation.things.map {
                    Cell(operation: operation, visitor: visitor, thing: $0, expected: operation.judge(visitor, $0))
                }
            }
        }
        let faults = try await withThrowingTaskGroup { group in
            let share = cells.count / 4 + 1
            for start in stride(from: 0, to: cells.count, by: share) {
                group.addTask { try await Self.run(cells[start..<min(start + share, cells.count)], in: house) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let routes = Set(Policy.rows.map(\.name)).count
        print("\(cells.count) cells: \(routes) operations, \(house.visitors.all.count) visitors; \(faults.count) wrong")
        #expect(faults.isEmpty, "\(faults.count) wrong:\n\(faults.joined(separator: "\n"))")
        #expect(cells.count > 7000)
    }

    @Test("A policy that is wrong is found out, in every one of its cells")
    func control() async throws {
        let house = try await MatrixHouse()
        // Nobody is let through to the people, everybody to the guests, and a pass is refused without a word on record.
        let wrong = [
            (Operation(.get, "/api/v1/people", .everybody), Verdict.notSignedIn), (Operation(.get, "/api/v1/guests", .everybody), .done),
            (Operation(.get, "/api/guest_access/pass", .everybody), .forbidden),
        ]
        for (operation, verdict) in wrong {
            let right = try #require(Policy.rows.first { $0.name == operation.name })
            let visitors = house.visitors.all.filter { right.judge($0, .none) != verdict }
            let cells = visitors.map { Cell(operation: operation, visitor: $0, thing: .none, expected: verdict) }
            let faults = try await Self.run(cells[...], in: house)
            for visitor in visitors {
                #expect(faults.contains { $0.contains(" by \(visitor.name):") }, "\(operation.name) \(visitor.name)")
            }
        }
    }

    // MARK: Asking

    /// Asks every cell. As soon as something was changed, as it should be, everybody moves into the house anew.
    private static func run(_ cells: ArraySlice<Cell>, in house: MatrixHouse) async throws -> [String] {
        var (left, faults, seen) = (cells, [String](), [Seen]())
        while !left.isEmpty {
            let rest = left
            let (asked, found) = try await house.open { try await ask(rest, house.visitors, $0, $1) }
            left = left.dropFirst(asked.count)
            faults += found
            seen += asked
        }
        return faults + toldApart(seen)
    }

    private static func ask(
        _ cells: ArraySlice<Cell>, _ visitors: Visitors, _ house: TestHouse, _ client: any TestClientProtocol
    ) async throws -> (asked: [Seen], faults: [String]) {
        let before = try await Content(house.store, without: Content.notebooks)
        let watch = house.store.watch(Set(before.tables.keys))
        guard let owner = visitors.all.first(where: { $0.position == .owner })?.auditID else { throw CancellationError() }
        let reader = Principal.person(id: owner, sessionID: "")
        var (asked, faults) = ([Seen](), [String]())
        for cell in cells {
            if cell.mayChange, !asked.isEmpty {
                let changed = try await Content(house.store, without: Content.notebooks).differs(from: before)
                if !changed.isEmpty { faults.append("refusals before \(cell.name) changed \(changed)") }
            }
            let (commits, orders) = (watch.commits, house.doors.orders.count)
            let newest = cell.expected.isOnRecord ? try await entries(house, reader, 1).first?.id : nil
            let answer = try await send(cell, visitors, client)
            asked.append(Seen(cell: cell, answer: answer))
            if let fault = fault(answer, cell) { faults.append("\(cell.name): \(fault), not \(cell.expected) \(answer.body)") }
            if cell.expected.isOnRecord {
                let new = try await entries(house, reader, 3).prefix { $0.id != newest }
                if new.map(\.result) != ["refused"] || new.first?.whoID != cell.visitor.auditID {
                    faults.append("\(cell.name): on record is \(new.map { "\($0.action) \($0.result) by \($0.whoID ?? "nobody")" })")
                }
            }
            if cell.expected != .done, house.doors.orders.count != orders { faults.append("\(cell.name): a door was moved") }
            guard watch.commits == commits else {
                if !cell.mayChange { faults.append("\(cell.name): rows were changed") }
                return (asked, faults)
            }
        }
        let changed = try await Content(house.store, without: Content.notebooks).differs(from: before)
        if !changed.isEmpty { faults.append("refusals at the end changed \(changed)") }
        return (asked, faults)
    }

    private static func entries(_ house: TestHouse, _ reader: Principal, _ limit: Int) async throws -> [Activity.Entry] {
        try await house.hub.activity.entries(.init(limit: limit), seenBy: reader)
    }

    private static func send(_ cell: Cell, _ visitors: Visitors, _ client: any TestClientProtocol) async throws -> Answer {
        var path = cell.operation.path
        for kind in cell.operation.kinds {
            guard let start = path.firstIndex(of: "{"), let end = path.firstIndex(of: "}") else { break }
            path.replaceSubrange(start...end, with: visitors.id(kind, cell.thing, for: cell.visitor))
        }
        path = path.replacing("{id}", with: "some").replacing("{page}", with: "some")
        path += cell.operation.query(cell.visitor, cell.thing, visitors)
        var headers: HTTPFields = [.origin: "http://localhost"]
        if !cell.operation.showsInBody {
            switch cell.visitor.credential {
            case .none: break
            case .field(let field): headers[.authorization] = field
            case .bearer(let token): headers[.authorization] = "Bearer \(token)"
            case .twice(let token): headers[values: .authorization] = ["Bearer \(token)", "Bearer \(token)"]
            case .inQuery(let token): path += (path.contains("?") ? "&" : "?") + "access_token=\(token)&token=\(token)"
            }
        }
        let body = cell.operation.body(cell.visitor, cell.thing, visitors)
        if body != nil { headers[.contentType] = "application/json" }
        let answer = try await client.executeRequest(
            uri: path, method: cell.operation.method, headers: headers, body: body.map(ByteBuffer.init(string:)))
        let json = JSONValue.read(Array(answer.body.readableBytesView)) ?? .null
        return Answer(status: answer.status.code, body: json, headers: answer.headers)
    }

    // MARK: Judging

    /// What is wrong with an answer; nil when it is as expected.
    private static func fault(_ answer: Answer, _ cell: Cell) -> String? {
        let error = answer.body["error"]
        let code = error?["code"]?.string ?? error?.string
        let isRight =
            switch cell.expected {
            case .done: cell.operation.done.contains(answer.status) && (cell.operation.doneCode == nil || cell.operation.doneCode == code)
            case .notSignedIn, .passIsOver: answer.status == 401 && answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer realm=") == true
            case .unproven: answer.status == 401 && code == "action_proof_required"
            case .forbidden: answer.status == 403 && code != "step_up_required"
            case .stepUp: answer.status == 403 && code == "step_up_required"
            case .notThere: answer.status == 404
            case .invalid: answer.status == 400
            case .refusedInside: answer.status == 200 && answer.body["results"]?.array.first?["status"] == "refused"
            }
        let inside = cell.operation.path.hasSuffix("batch-control") && cell.expected == .done
        if inside, answer.body["results"]?.array.first?["status"] != "confirmed" { return "not done" }
        return isRight ? nil : "\(answer.status) \(code ?? "")"
    }

    /// Refusals of one visitor on one route by which something that is somebody else's could be told from something that is not there.
    private static func toldApart(_ seen: [Seen]) -> [String] {
        let hidden = seen.filter { seen in
            let (visitor, operation, thing) = (seen.cell.visitor, seen.cell.operation, seen.cell.thing)
            // Whoever lives here sees every device in the list; that one of them is not theirs to open is no secret.
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
