import CardeaAPI
import CardeaModel
import CardeaTestSupport
import Testing

@testable import CardeaClient

@Suite("Server-sent event parsing")
struct EventStreamParserTests {
    private let text = """
        : still here

        id: 7
        event: device_update
        data: {"seq":7}

        event: snapshot
        data: one
        data:two
        retry: 10

        data

        id
        data: after

        event: nothing follows

        """

    private let events: [EventStreamParser.Event] = [
        .init(name: "device_update", data: #"{"seq":7}"#, id: "7"), .init(name: "snapshot", data: "one\ntwo", id: "7"),
        .init(name: "message", data: "", id: "7"), .init(name: "message", data: "after", id: nil),
    ]

    @Test("Comments, ids, multi-line data and unknown fields are parsed as in the standard")
    func whole() throws {
        var parser = EventStreamParser()
        #expect(try parser.parse(Array((text + "\n").utf8)) == events)
    }

    @Test("Chunk boundaries and line endings do not change the parsed events", arguments: ["\n", "\r", "\r\n"])
    func cut(ending: String) throws {
        let bytes = Array((text + "\n").replacing("\n", with: ending).utf8)
        var dice = SeededGenerator.forTest(2)
        for _ in 0..<300 {
            var parser = EventStreamParser()
            var heard: [EventStreamParser.Event] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let length = Int.random(in: 1...min(9, rest.count), using: &dice)
                heard += try parser.parse(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            #expect(heard == events, "seed \(dice.seed)")
        }
    }

    @Test("Invalid UTF-8 and endless lines cause no crash")
    func strange() throws {
        var dice = SeededGenerator.forTest(3)
        for _ in 0..<500 {
            var parser = EventStreamParser()
            let bytes = (0..<200).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
            for event in try parser.parse(bytes) { #expect(!event.name.isEmpty, "seed \(dice.seed)") }
        }
        var marked = EventStreamParser()
        #expect(try marked.parse([0xEF, 0xBB, 0xBF] + Array("data: x\n\n".utf8)).map(\.data) == ["x"])
    }

    @Test("An event that gains a description is shown as described and not as a second detection")
    func described() throws {
        let event: JSONValue = [
            "id": "event_1", "camera_id": "porch", "camera_name": "Porch", "timestamp": "2026-11-21T14:31:07.250Z", "description": "A cat.",
            "description_source": "describer", "smart_detection_type": "animal", "has_thumbnail": true, "incident_id": "incident_1",
        ]
        func told(_ name: String) throws -> LiveEvent {
            let change: JSONValue = ["seq": 1, "type": .string(name), "data": event, "timestamp": "2026-11-21T14:31:09.000Z"]
            return LiveEvent(try WireFormat.read(ChangeEvent.self, from: try WireFormat.encode(change)))
        }

        guard case .eventRecorded(let seen) = try told("event"), case .eventDescribed(let described) = try told("event_update") else {
            Issue.record("Neither is told as what it is.")
            return
        }
        #expect(seen == described && described.isDescribedByMachine && described.description == "A cat.")
        guard case .other = try told("event_something_new") else {
            Issue.record("What is not known is carried as it is.")
            return
        }
    }
}
