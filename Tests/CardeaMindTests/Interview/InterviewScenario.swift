import CardeaMind
import CardeaModel
import Foundation
import Testing

/// A house, its discovered devices, what its people say, and the expected result.
struct InterviewScenario: Sendable, CustomTestStringConvertible {
    let name: String
    var rooms = InterviewScenario.usual
    var discovered: [DiscoveredDevice] = []
    var devices: [Device] = []
    let messages: [String]
    /// "2 Hue light @ Living room = thing-1 thing-2", for every confirmed device.
    let expectedDevices: [String]
    /// "- door_opener @ Garage", for the notes at the end.
    var expectedNotes: [String] = []
    /// "- fan @ Hall", for the notes that are no longer valid.
    var expectedPastNotes: [String] = []
    /// Proposed rooms.
    var expectedNewRooms: [String] = []
    /// Every message is complete by itself, so their order does not matter.
    var isOrderIndependent = false

    var testDescription: String { name }

    static let usual: [Room] = rooms(
        ("Kitchen", .kitchen, 0), ("Living room", .livingRoom, 0), ("Hall", .hallway, 0), ("Bedroom", .bedroom, 1),
        ("Bathroom", .bathroom, 1),
        ("Study", .office, 1), ("Garage", .garage, 0), ("Garden", .other, 0))

    static func rooms(_ rooms: (String, RoomKind, Int)...) -> [Room] {
        rooms.map { name, kind, floor in
            var traits = RoomTraits(name: name)
            (traits.kind, traits.floor) = (kind, floor)
            return Room(id: Slug.make(name) ?? name, traits: traits)
        }
    }

    var snapshot: HouseSnapshot {
        HouseSnapshot(name: "Alder House", zone: TimeZone(identifier: "Europe/London") ?? .gmt, rooms: rooms, devices: devices)
    }

    static let start = Date(timeIntervalSince1970: 1_780_000_000)
}

extension Interview {
    var lastMoment: Date { Date(milliseconds: lastActivityAt) }
}

/// A complete conversation, and its result.
struct InterviewTranscript {
    var interview: Interview
    var drafts: [Interview.DeviceDraft] = []
    var replies: [String] = []

    /// - Parameter isRestarted: after every message it is stored as JSON and restored, as across a restart, and paused in between.
    init(_ household: InterviewScenario, say: [String]? = nil, isRestarted: Bool = false) throws {
        let (interview, reply) = Interview.start(
            id: "interview_1", in: household.snapshot, discovered: household.discovered, at: InterviewScenario.start)
        self.interview = interview
        replies.append(reply.text)
        for (index, message) in (say ?? household.messages).enumerated() {
            let now = InterviewScenario.start.addingTimeInterval(Double(index + 1) * 60)
            if isRestarted {
                if self.interview.status == .active {
                    try self.interview.pause(at: now)
                    self.interview = try Interview.restored(from: self.interview.archived())
                    _ = try self.interview.resume(at: now)
                }
                self.interview = try Interview.restored(from: self.interview.archived())
            }
            if self.interview.status == .paused { _ = try self.interview.resume(at: now) }
            guard self.interview.status == .active else { break }
            let reply = try self.interview.receive(message, at: now)
            drafts += reply.drafts
            replies.append(reply.text)
        }
        if household.isOrderIndependent { drafts += try self.interview.confirm(.all, at: self.interview.lastMoment).drafts }
    }

    var devices: [String] {
        var order: [String] = []
        var lines: [String: [Interview.DeviceDraft]] = [:]
        for draft in drafts {
            if lines[draft.candidateID] == nil { order.append(draft.candidateID) }
            lines[draft.candidateID, default: []].append(draft)
        }
        return order.compactMap { id in
            guard let drafts = lines[id], let first = drafts.first else { return nil }
            let matched = drafts.compactMap(\.thingID).sorted()
            return "\(drafts.count) \(first.brand ?? "-") \(first.function ?? "?")" + Self.roomSuffix(first.room)
                + (matched.isEmpty ? "" : " = " + matched.joined(separator: " "))
        }.sorted()
    }

    func notes(current: Bool) -> [String] {
        interview.notes.filter { $0.isCurrent == current }.map { note in
            "\(note.count > 1 ? "\(note.count) " : "")\(note.brand ?? "-") \(note.function ?? note.text)"
                + (note.room.map { " @ \($0.name)" } ?? "")
        }.sorted()
    }

    var newRooms: [String] {
        interview.rooms.compactMap { if case .new(let name, _) = $0.reference { name } else { nil } }.sorted()
    }

    private static func roomSuffix(_ room: RoomReference?) -> String {
        switch room {
        case .known(let id): " @ \(id)"
        case .new(let name, _): " @ +\(name)"
        case nil: ""
        }
    }

    var transcript: String {
        interview.conversation.map { "\($0.speaker == .person ? ">" : " ") \($0.text)" }.joined(separator: "\n")
    }
}
