import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import HTTPTypes
import Testing

/// Realtime events requested by every caller of the access matrix over every transport: a socket by a header and by a ticket, an event
/// stream, and page by page. `Policy` says whether a caller is let in; the visible events are written here from docs/protocol.md, and share
/// nothing with the code under test.
@Suite("Realtime access matrix over all transports", .timeLimit(.minutes(10)))
struct RealtimeMatrixTests {
    /// The faults found so far.
    private struct Report: Sendable {
        var cells = 0
        var faults: [String] = []

        mutating func check(_ what: String, _ found: String, _ right: String) {
            cells += 1
            if found != right { faults.append("\(what): \(found), not \(right)") }
        }
    }

    @Test(
        "Streams show no hidden data, hidden equals missing, and refusals change no row and are audited")
    func matrix() async throws {
        let matrix = try await MatrixHouse()
        let report = try await matrix.serve { house, port -> Report in
            let people = Dictionary(
                matrix.visitors.all.compactMap { visitor in visitor.position.map { ($0, Secret(visitor.secret)) } }
            ) { first, _ in first }
            let owner = try await house.hub.sessions.authenticate(try #require(people[.owner]))
            let member = try await house.hub.sessions.authenticate(try #require(people[.member]))
            var report = Report()
            try await Self.snapshots(matrix.visitors, house, port, owner: owner, &report)
            try await Self.checkEvents(matrix.visitors, house, port, owner: owner, member: member, &report)
            return report
        }
        print("\(report.cells) cells of realtime: \(matrix.visitors.all.count) visitors; \(report.faults.count) wrong")
        #expect(report.faults.isEmpty, "\(report.faults.count) wrong:\n\(report.faults.joined(separator: "\n"))")
        #expect(report.cells > 1000)
    }

    // MARK: Requests

    /// Every caller subscribes to everything, to each device and to each room.
    private static func snapshots(
        _ visitors: MatrixCallers, _ house: TestHouse, _ port: Int, owner: Principal, _ report: inout Report
    ) async throws {
        for (thing, device) in [(ResourceOwnership.own, "front-door"), (.anothers, "back-door")] {
            let room = try #require(visitors.ids[MatrixCallers.ResourceKey(kind: .room, thing: thing)])
            _ = try await house.hub.devices.edit(device, .init(room: .room(room)), by: owner, origin: .house)
        }
        let devices = house.hub.devices.all.devices
        let before = try await DatabaseContents(house.store, without: DatabaseContents.bookkeepingTables)
        let start = try await house.hub.activity.entries(.init(limit: 1), seenBy: owner).first?.id ?? 0
        let looked = try await Self.readCounts(house)
        var (refusals, guests) = ([String: Int](), Set<String>())
        for (number, visitor) in visitors.all.enumerated() {
            let refused = try await checkCaller(RealtimeCaller(visitor, number, port, house), visitors, devices, &report)
            guard let id = visitor.auditID, AccessRule.listening.judge(visitor, .none).isOnRecord else { continue }
            refusals[id] = refused
            if case .guest = visitor.identity { guests.insert(id) }
        }
        let changed = try await DatabaseContents(house.store, without: DatabaseContents.bookkeepingTables).changedTables(from: before)
        report.check("rows that listening and refusing changed", "\(changed)", "[]")
        let entries = try await house.hub.activity.entries(.init(result: "refused", limit: 500), seenBy: owner)
        let counted = try await Self.readCounts(house)
        for (id, count) in refusals {
            let kept = entries.count { $0.id > start && $0.whoID == id }
            // Listening with an invalid pass is not an attempt.
            let isGuest = guests.contains(id)
            report.check("refusals of \(id) on record", "\(kept)", "\(isGuest ? 0 : count)")
            if isGuest { report.check("looks of \(id)", "\((counted[id] ?? 0) - (looked[id] ?? 0))", "\(count)") }
        }
    }

    /// The number of reads of each pass that is not valid now.
    private static func readCounts(_ house: TestHouse) async throws -> [String: Int] {
        try await house.hub.guestReadAuditor.writeCounts()
        return try await house.store.read { db in
            try Row.fetchAll(db, sql: "SELECT guest_id, looks FROM guest_looks").reduce(into: [:]) { $0[$1[0] as String] = $1[1] as Int }
        }
    }

    /// One transport, with the result of each subscription.
    private struct DeliveryMethod {
        let name: String
        let outcomes: [Outcome]
        /// The status, or the socket's close code, for a caller who may not listen.
        let refusal: Int
    }

    /// Returns how often they were refused.
    private static func checkCaller(_ comer: RealtimeCaller, _ visitors: MatrixCallers, _ devices: [Device], _ report: inout Report)
        async throws -> Int
    {
        let visitor = comer.visitor
        let (verdict, ticket) = (AccessRule.listening.judge(visitor, .none), AccessRule.ticket.judge(visitor, .none))
        let isTurnedAway = verdict == .passIsOver || (verdict == .notSignedIn && visitor.hasBearerToken)
        let visible = devices.filter { mayRead(visitor, $0.id) }
        // A caller refused at the connection is refused before its subscription.
        let wishes = isTurnedAway ? [SubscriptionRequest(thing: .none)] : SubscriptionRequest.all(of: visitor, visitors)
        var refused = 0

        let pinged = try await comer.ping()
        if pinged != 101 { refused += 1 }
        report.check("\(visitor.name), ping", "\(pinged)", isTurnedAway ? "401" : "101")
        let changes = try await comer.send("GET", "/api/v1/changes").status
        if changes != 200 { refused += 1 }
        report.check("\(visitor.name), changes", "\(changes)", verdict == .done ? "200" : verdict == .forbidden ? "403" : "401")

        let byHeader = try await comer.subscribe(to: wishes, byTicket: false)
        var ways = [DeliveryMethod(name: "by a header", outcomes: byHeader, refusal: isTurnedAway ? 401 : 4401)]
        if ticket == .done {
            let byTicket = try await comer.subscribe(to: wishes, byTicket: true)
            ways.append(DeliveryMethod(name: "by a ticket", outcomes: byTicket, refusal: 4401))
        } else {
            let status = try await comer.send("POST", "/api/v1/realtime/ticket").status
            if status != 201 { refused += 1 }
            report.check("\(visitor.name), ticket", "\(status)", "401")
        }
        if verdict == .done {
            let again = try await comer.useTicketTwice()
            report.check("\(visitor.name), a ticket again", "\(again)", "4401")
        }
        var streamed: [Outcome] = []
        for wish in wishes { streamed.append(try await comer.stream(wish)) }
        ways.append(DeliveryMethod(name: "as a stream", outcomes: streamed, refusal: verdict == .forbidden ? 403 : 401))

        for way in ways {
            for (wish, outcome) in zip(wishes, way.outcomes) {
                if case .refused = outcome { refused += 1 }
                let right = "\(visible.filter { wish.matches($0) }.map(\.id).sorted())"
                report.check("\(visitor.name), \(wish.name), \(way.name)", "\(outcome)", verdict == .done ? right : "\(way.refusal)")
            }
            let hidden = zip(wishes, way.outcomes).filter { wish, _ in
                wish.thing != .none && wish.thing != .own && !visible.contains { wish.matches($0) }
            }
            guard !hidden.isEmpty else { continue }
            let looks = Set(hidden.map { $0.1 })
            report.check("\(visitor.name), looks of what is not theirs, \(way.name)", "\(looks.count)", "1")
        }
        return refused
    }

    /// People see every device. A pass, and a program's token for some devices, sees its own; a pass does not while its device is closed to
    /// guests.
    private static func mayRead(_ visitor: MatrixCaller, _ device: String) -> Bool {
        switch visitor.identity {
        case .stranger, .guest(.closedDoor): false
        case .person, .program(.everything): true
        case .program(.frontDoor), .guest: device == "front-door"
        }
    }

    // MARK: Listening

    private struct Listener: Sendable {
        let comer: RealtimeCaller
        let socket: NIOWebSocketClient
        let stream: RawTCPConnection
    }

    /// An event, with the parts that decide who receives it.
    private struct ReceivedEvent: Hashable, Sendable {
        let seq: Int
        let type: String
        /// The device that the event is about; nil if it is about none.
        var device: String?

        init(_ event: JournalEvent, _ type: String? = nil, device: String? = nil) {
            seq = Int(event.seq)
            self.type = type ?? event.name.rawValue
            self.device = device
        }

        init(_ told: JSONValue) {
            seq = told["seq"]?.number.map { Int($0) } ?? 0
            type = told["type"]?.string ?? ""
            let isAboutDevice = ["device_update", "device_removed", "command_update"].contains(type)
            device = isAboutDevice ? told["data"]?["device_id"]?.string : nil
        }
    }

    /// Every permitted caller reads all past events, and then the new ones.
    private static func checkEvents(
        _ visitors: MatrixCallers, _ house: TestHouse, _ port: Int, owner: Principal, member: Principal, _ report: inout Report
    ) async throws {
        var ears: [Listener] = []
        for (number, visitor) in visitors.all.enumerated() where AccessRule.listening.judge(visitor, .none) == .done {
            let comer = RealtimeCaller(visitor, number, port, house)
            let socket = try await comer.connect()
            try await socket.subscribe(after: 0)
            ears.append(Listener(comer: comer, socket: socket, stream: try await comer.open("/api/v1/realtime/events", ["after=0"])))
        }
        let guest = try #require(visitors.all.first { $0.identity == .guest(.open) }?.auditID)
        try await triggerEvents(in: house, owner: owner, member: member, guest: .guest(id: guest))
        let events = try await journal(house)
        let last = try #require(events.last?.seq)
        let names = house.hub.devices.all.devices.map { (device: $0.id, words: [$0.id] + $0.entities.map(\.id)) }
        let ids = visitors.all.compactMap(\.auditID)
        for ear in ears {
            let visitor = ear.comer.visitor
            // A pass's guest may not know a door's events from before the pass was made.
            var since = Date.distantPast
            if case .guest = visitor.identity, let id = visitor.auditID {
                since = try await house.hub.guests.guest(id, seenBy: owner).createdAt
            }
            let right = events.compactMap { expectedEvent($0, for: visitor, since: since) }
            let end = try #require(right.last?.seq, "\(visitor.name) hears nothing")
            let heard = try await ear.socket.received.waitUntil("\(visitor.name) has heard \(end)") {
                Int($0.messages.last?["seq"]?.number ?? 0) >= end || $0.isClosed
            }
            let streamed = try await ear.stream.received.waitUntil("\(visitor.name) is streamed \(end)") {
                $0.hasReceived(end) || $0.isClosed
            }
            let pages = try await ear.comer.changes()
            for (way, told) in [("by a socket", heard.events), ("as a stream", streamed.serverSentEvents), ("page by page", pages)] {
                let lines = told.map { ReceivedEvent($0) }.filter { $0.seq <= Int(last) }
                let (more, less) = (Set(lines).subtracting(right), Set(right).subtracting(lines))
                let found = lines == right ? "that" : "too much: \(more); missing: \(less)"
                report.check("\(visitor.name), what happened, \(way)", found, "that")
                guard isDeviceScoped(visitor) else { continue }
                // Nor are others mentioned inside the events that they may receive.
                let text = String(decoding: try JSONEncoder().encode(JSONValue.array(told)), as: UTF8.self)
                let own = ownDevice(visitor)
                let things = names.filter { $0.device != own }.flatMap { $0.words }
                let named = (things + ids.filter { $0 != visitor.auditID }).filter { text.contains("\"\($0)\"") }
                report.check("\(visitor.name), others named, \(way)", "\(named)", "[]")
            }
            try await ear.socket.abort()
            ear.stream.close()
        }
    }

    /// Triggers events of all kinds. The last two are such that each subscriber receives one of them.
    private static func triggerEvents(in house: TestHouse, owner: Principal, member: Principal, guest: Principal) async throws {
        _ = try await house.run(house.unlock("back-door", as: owner))
        _ = try await house.run(house.unlock(as: owner))
        _ = try await house.run(house.open(as: guest))
        _ = try await house.run(
            CommandRequest(principal: member, target: .device(id: "hall-light", entityID: nil, verb: .on), origin: .house))
        _ = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        _ = try await house.hub.rooms.add(RoomTraits(name: "Study"), position: nil, by: owner, call: nil, origin: .house)
        try await house.doorBackend.report("locked", at: "lock.back_door")
        _ = try await house.hub.devices.edit("back-door", .init(name: "Yard door"), by: owner, origin: .house)
        try await house.doorBackend.report("locked", at: "lock.front_door")
    }

    private static func journal(_ house: TestHouse) async throws -> [JournalEvent] {
        var (events, cursor) = ([JournalEvent](), Int64(0))
        while true {
            let (page, through) = try await house.hub.journal.events(after: cursor, limit: 500)
            if through == cursor { return events }
            events += page
            cursor = through
        }
    }

    /// Returns whether a caller sees some devices and nothing else of the house.
    private static func isDeviceScoped(_ visitor: MatrixCaller) -> Bool {
        switch visitor.identity {
        case .guest, .program(.frontDoor): true
        default: false
        }
    }

    /// The door of a pass, or of a program's token for one.
    private static func ownDevice(_ visitor: MatrixCaller) -> String {
        visitor.identity == .guest(.closedDoor) ? "back-door" : "front-door"
    }

    /// The form in which a caller receives an event; nil if they do not receive it.
    ///
    /// - Parameter since: when their pass was made.
    private static func expectedEvent(_ event: JournalEvent, for visitor: MatrixCaller, since: Date) -> ReceivedEvent? {
        guard isDeviceScoped(visitor) else {
            switch event.fact {
            case .device(let device, _): return ReceivedEvent(event, device: device.id)
            case .deviceRemoved(let id): return ReceivedEvent(event, device: id)
            case .command(let command): return mayReadCommand(visitor, command) ? ReceivedEvent(event, device: command.deviceID) : nil
            default: return mayReadFact(visitor, event.fact) ? ReceivedEvent(event) : nil
            }
        }
        let own = ownDevice(visitor)
        let isClosed = visitor.identity == .guest(.closedDoor)
        switch event.fact {
        case .device(let device, let said):
            guard device.id == own, event.at >= since else { return nil }
            // It disappears from their screen, and its reports are not sent at all.
            if isClosed { return said == nil ? ReceivedEvent(event, "device_removed", device: own) : nil }
            return ReceivedEvent(event, device: own)
        case .deviceRemoved(let id): return id == own ? ReceivedEvent(event, device: own) : nil
        case .command(let command):
            return command.guestID != nil && command.guestID == visitor.auditID ? ReceivedEvent(event, device: command.deviceID) : nil
        case .guest(let id, _): return id == visitor.auditID ? ReceivedEvent(event) : nil
        default: return nil
        }
    }

    /// One's own commands, and with the right to manage people everyone's.
    private static func mayReadCommand(_ visitor: MatrixCaller, _ command: Command) -> Bool {
        let id = visitor.auditID ?? ""
        let principal = visitor.place.map { Principal.apiToken(id: $0, personID: id) } ?? .person(id: id, sessionID: "")
        return command.principal == principal.key || visitor.holds(.managePeople)
    }

    /// Returns whether a caller may read a fact. Every resident reads the household's facts. A person's own facts are for that person, and
    /// for those who may see everyone's. A program reads facts about the devices in its scope.
    private static func mayReadFact(_ visitor: MatrixCaller, _ fact: JournalEvent.Fact) -> Bool {
        func isTheirs(_ person: String) -> Bool { visitor.position != nil && person == visitor.auditID }
        if case .program = visitor.identity {
            switch fact {
            case .house, .personErased: return true
            default: return false
            }
        }
        switch fact {
        case .device, .deviceRemoved, .command, .house, .scene, .room, .camera, .button, .tag, .maintenance, .personErased: return true
        case .guest: return visitor.holds(.inviteGuests)
        case .person(let id): return isTheirs(id) || visitor.holds(.managePeople)
        // A waiting phone may be confirmed by any resident.
        case .phone(_, let person): return person.map { isTheirs($0) || visitor.holds(.managePeople) } ?? true
        case .integration: return visitor.holds(.modifySettings)
        case .event, .eventUpdated, .eventRemoved: return visitor.holds(.controlDevices)
        case .mind(let news):
            guard news.part != .automation || visitor.holds(.modifySettings) else { return false }
            return news.personID.map(isTheirs) ?? true
        }
    }
}

/// The devices and rooms that a caller subscribes to.
private struct SubscriptionRequest: Sendable {
    let thing: ResourceOwnership
    var devices: [String]?
    var rooms: [String]?

    static func all(of visitor: MatrixCaller, _ visitors: MatrixCallers) -> [SubscriptionRequest] {
        [SubscriptionRequest(thing: .none)]
            + ResourceOwnership.named.flatMap { thing in
                [
                    SubscriptionRequest(thing: thing, devices: [visitors.id(.device, thing, for: visitor)]),
                    SubscriptionRequest(thing: thing, rooms: [visitors.id(.room, thing, for: visitor)]),
                ]
            }
    }

    var name: String {
        if devices != nil { return "devices, \(thing.rawValue)" }
        return rooms == nil ? "everything" : "rooms, \(thing.rawValue)"
    }

    /// As a URL query.
    var query: [String] { (devices ?? []).map { "devices=\($0)" } + (rooms ?? []).map { "rooms=\($0)" } }

    func matches(_ device: Device) -> Bool {
        if let devices, !devices.contains(device.id) { return false }
        guard let rooms else { return true }
        return device.roomID.map { rooms.contains($0) } ?? false
    }
}

/// The result of a subscription request.
private enum Outcome: Hashable, Sendable, CustomStringConvertible {
    /// The status of the answer, or the code with which the socket was closed.
    case refused(Int)
    /// The devices of the snapshot.
    case shown([JSONValue])

    var description: String {
        switch self {
        case .refused(let code): "\(code)"
        case .shown(let devices): "\(devices.map { $0["device_id"]?.string ?? "nameless" }.sorted())"
        }
    }
}

/// One of the visitors, at the hub's port.
private struct RealtimeCaller: Sendable {
    let visitor: MatrixCaller
    private let port: Int
    /// Connections and wrong tokens are counted by address, so each caller has its own.
    private let address: String
    private let now: Date

    init(_ visitor: MatrixCaller, _ number: Int, _ port: Int, _ house: TestHouse) {
        self.visitor = visitor
        self.port = port
        address = "127.0.1.\(number + 1)"
        now = house.clock.now
    }

    // MARK: Plain HTTP

    /// Sends a request without a body.
    func open(_ path: String, _ query: [String] = [], method: String = "GET", more: String = "") async throws -> RawTCPConnection {
        let line = try await RawTCPConnection(port, from: address)
        let fields = try fields(path).map { "\($0.0): \($0.1)\r\n" }.joined()
        line.send("\(method) \(uri(path, query)) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\(more)\r\n")
        return line
    }

    /// Sends a request, and reads the complete answer.
    func send(_ method: String, _ path: String, _ query: [String] = []) async throws -> (status: Int, body: JSONValue) {
        let length = method == "GET" ? "" : "Content-Length: 0\r\n"
        let line = try await open(path, query, method: method, more: "Connection: close\r\n\(length)")
        let heard = try await line.received.waitUntil("\(method) \(path) is answered") { $0.isClosed }
        let body = heard.text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
        return (heard.status, JSONValue.read(Array(body.utf8)) ?? .null)
    }

    /// All past events.
    func changes() async throws -> [JSONValue] {
        var (changes, cursor) = ([JSONValue](), 0)
        while true {
            let page = try await send("GET", "/api/v1/changes", ["after=\(cursor)", "limit=500"]).body
            changes += page["changes"]?.array ?? []
            guard page["more"] == true, let next = page["next"]?.number else { return changes }
            cursor = Int(next)
        }
    }

    /// The first message of an event stream.
    func stream(_ wish: SubscriptionRequest) async throws -> Outcome {
        let line = try await open("/api/v1/realtime/events", wish.query)
        let heard = try await line.received.waitUntil("the stream is answered") {
            !$0.serverSentEvents.isEmpty || $0.isClosed || ![0, 200].contains($0.status)
        }
        line.close()
        guard heard.status == 200 else { return .refused(heard.status) }
        guard let first = heard.serverSentEvents.first, first["type"] == "snapshot" else { return .refused(0) }
        return .shown(first["devices"]?.array ?? [])
    }

    // MARK: A socket

    /// - Parameter isNamed: true if they authenticate by the header.
    func connect(isNamed: Bool = true) async throws -> NIOWebSocketClient {
        let path = "/api/v1/realtime"
        guard isNamed else { return try await NIOWebSocketClient.connect(port, from: address) }
        return try await NIOWebSocketClient.connect(port, path: uri(path, []), headers: try fields(path), from: address)
    }

    /// Returns 101 if a ping is answered before any subscription, or the status of the refusal.
    func ping() async throws -> Int {
        do {
            let socket = try await connect()
            socket.send(#"{"type":"ping"}"#)
            let heard = try await socket.received.waitUntil("a ping is answered") { $0.count("pong") == 1 || $0.isClosed }
            try await socket.abort()
            return heard.count("pong") == 1 ? 101 : 0
        } catch let refused as NIOWebSocketClient.UpgradeRefusedError {
            return refused.status
        }
    }

    /// One subscription after the other, on one socket for as long as it is open. A ticket is used on each once.
    func subscribe(to wishes: [SubscriptionRequest], byTicket: Bool) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        var standing: NIOWebSocketClient?
        for wish in wishes {
            let isNew = standing == nil
            let ticket: Secret? = if isNew && byTicket { try await self.ticket() } else { nil }
            let socket: NIOWebSocketClient
            do {
                if let standing { socket = standing } else { socket = try await connect(isNamed: !byTicket) }
            } catch let refused as NIOWebSocketClient.UpgradeRefusedError {
                outcomes.append(.refused(refused.status))
                continue
            }
            try await socket.subscribe(devices: wish.devices, rooms: wish.rooms, ticket: ticket)
            let heard = socket.received.now
            let isRefused = heard.closeCode != nil || heard.isClosed
            standing = isRefused ? nil : socket
            outcomes.append(isRefused ? .refused(heard.closeCode ?? 0) : .shown(heard.snapshot?["devices"]?.array ?? []))
        }
        try await standing?.abort()
        return outcomes
    }

    /// The code with which a second socket is closed that uses the ticket of a first.
    func useTicketTwice() async throws -> Int {
        let ticket = try await ticket()
        let (first, second) = (try await connect(isNamed: false), try await connect(isNamed: false))
        try await first.subscribe(ticket: ticket)
        try await second.subscribe(ticket: ticket)
        try await first.abort()
        return second.received.now.closeCode ?? 0
    }

    private func ticket() async throws -> Secret {
        let answer = try await send("POST", "/api/v1/realtime/ticket")
        return Secret(try #require(answer.body["ticket"]?.string, "\(answer)"))
    }

    // MARK: Authentication

    private func fields(_ path: String) throws -> [(String, String)] {
        let proof = try visitor.proof(of: .get, path, at: now)
        return visitor.authorization.map { ("authorization", $0) } + proof.map { ($0.name.rawName, $0.value) }
    }

    private func uri(_ path: String, _ query: [String]) -> String {
        let items = query + visitor.queryParameters
        return items.isEmpty ? path : "\(path)?\(items.joined(separator: "&"))"
    }
}

extension RawTCPConnection.ReceivedBytes {
    /// The status of the first answer; 0 before it.
    fileprivate var status: Int { statuses.first.flatMap { Int($0) } ?? 0 }

    /// The server-sent events received so far.
    fileprivate var serverSentEvents: [JSONValue] {
        text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("data: ") }
            .compactMap { JSONValue.read(Array($0.dropFirst("data: ".count).utf8)) }
    }

    /// Returns whether the event of this number has arrived completely. It is searched at the end, since it is the last one awaited.
    fileprivate func hasReceived(_ seq: Int) -> Bool {
        let end = String(decoding: bytes.suffix(1 << 16), as: UTF8.self)
        guard let place = end.range(of: "id: \(seq)\n") else { return false }
        return end[place.upperBound...].contains("\n\n")
    }
}
