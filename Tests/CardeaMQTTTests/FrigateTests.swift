import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaMQTT

@Suite("Frigate messages")
struct FrigateTests {
    private let now = Date(timeIntervalSince1970: 1_607_123_960)

    private func event(_ payload: String) throws -> FrigateEvent { try #require(FrigateEvent(Array(payload.utf8))) }

    @Test("A message is parsed in every Frigate version")
    func message() throws {
        let car = try event(FrigateMessages.car(.update, "1607123955.475377-mxklsc"))

        #expect(car.id == "1607123955.475377-mxklsc" && car.camera == "front_door" && car.label == "car" && car.phase == .update)
        #expect(car.zones == ["yard", "driveway"] && car.confidence == 96 && car.recognised == nil && !car.isFalse)
        #expect(car.startedAt == Date(timeIntervalSince1970: 1_607_123_955.475377))
        #expect(try event(FrigateMessages.car(.new, "a", more: #", "sub_label": "dhl""#)).recognised == "dhl")
        #expect(try event(FrigateMessages.car(.new, "a", more: #", "sub_label": ["dhl", 0.87]"#)).recognised == "dhl")
        #expect(try event(FrigateMessages.car(.new, "a", more: #", "sub_label": []"#)).recognised == nil)
    }

    @Test("The contract lists every subscribed topic and its messages")
    func promised() {
        let said: [String: [String]] = [
            "frigate/available": ["online", "offline", "stopped"],
            "frigate/events": [
                FrigateMessages.car(.new, "a"), FrigateMessages.car(.update, "a", more: #", "sub_label": "dhl""#),
                FrigateMessages.car(.end, "a", isFalse: true),
                FrigateMessages.car(.new, "a", more: #", "sub_label": ["dhl", 0.87]"#),
                FrigateMessages.car(.new, "a", more: #", "sub_label": null"#),
            ],
            "frigate/reviews": [
                FrigateMessages.review(.new, "r", "alert", events: ["a"], objects: ["car"]),
                FrigateMessages.review(.end, "r", "detection", sounds: ["bark"]),
            ],
            "frigate/word/word/snapshot": ["a picture"],
        ]
        #expect(Set(FrigateTopics(prefix: "frigate").filters.map { $0.replacing("+", with: "word") }) == Set(said.keys))
        for (topic, texts) in said {
            for text in texts { #expect(AsyncAPIValidator.problems(ofMessage: text, at: topic, .receive) == []) }
        }
        #expect(AsyncAPIValidator.problems(ofMessage: #"{"type": "new", "after": {"id": "a"}}"#, at: "frigate/events", .receive) != [])
    }

    @Test(
        "Frigate labels map to the hub's words, and unknown labels are kept",
        arguments: [
            ("person", "person"), ("car", "vehicle"), ("bicycle", "vehicle"), ("dog", "animal"), ("bird", "animal"),
            ("package", "package"), ("motion", "motion"), ("robot_lawnmower", "robot_lawnmower"), ("traffic light", "traffic_light"),
            ("Fire_Alarm", "fire_alarm"),
        ])
    func labels(label: String, type: String) {
        #expect(FrigateVocabulary.type(of: label)?.rawValue == type)
    }

    @Test(
        "A message of another form is ignored",
        arguments: [
            "", "null", "[]", #"{"type": "new"}"#, FrigateMessages.car(.new, "../../x"), FrigateMessages.car(.new, ""),
            FrigateMessages.car(.new, String(repeating: "a", count: 65)), FrigateMessages.car(.new, "a", camera: "camera/1"),
            FrigateMessages.car(.new, "a", label: "<b>"),
            FrigateMessages.car(.new, "a", label: ""), FrigateMessages.car(.new, "a").replacing("new", with: "old"),
            FrigateMessages.car(.new, "a", start: "1e300"),
            FrigateMessages.car(.new, "a", start: "-1"), FrigateMessages.car(.new, "a", start: #""now""#),
        ])
    func noMessage(payload: String) {
        #expect(FrigateEvent(Array(payload.utf8)) == nil)
    }

    @Test("An oversized message is ignored")
    func tooLong() {
        let payload = FrigateMessages.car(.new, "a", more: #", "x": "\#(String(repeating: "x", count: 70_000))""#)
        #expect(FrigateEvent(Array(payload.utf8)) == nil)
    }

    @Test("An oversized picture is reported as missing unless a smaller one arrives")
    func tooLarge() throws {
        for isFollowed in [false, true] {
            var frigate = FrigateSightingTracker()
            _ = frigate.receive(try event(FrigateMessages.car(.new, "a")), at: now)
            frigate.recordPictureError(.tooLarge, of: "car", on: "front_door")
            frigate.recordPictureError(.unreadable, of: "car", on: "yard")
            if isFollowed { _ = frigate.attachPicture([1], of: "car", on: "front_door") }

            let taken = frigate.finish("a")
            let sighting = try #require(taken)

            let problem: PictureError? = isFollowed ? nil : .tooLarge
            #expect(sighting.pictureProblem == problem && (sighting.picture != nil) == isFollowed)
        }
    }

    @Test("One object is reported once with its last picture, however many messages Frigate sends")
    func once() throws {
        var frigate = FrigateSightingTracker()

        #expect(frigate.receive(try event(FrigateMessages.car(.new, "a")), at: now) == .began("a"))
        #expect(frigate.attachPicture([1], of: "car", on: "front_door") == [.pictured("a")])
        #expect(frigate.attachPicture([2], of: "car", on: "front_door").isEmpty)
        #expect(
            frigate.attachPicture([3], of: "car", on: "yard").isEmpty && frigate.attachPicture([4], of: "dog", on: "front_door").isEmpty)
        #expect(frigate.receive(try event(FrigateMessages.car(.update, "a", more: #", "sub_label": "dhl""#)), at: now) == nil)
        #expect(frigate.receive(try event(FrigateMessages.car(.end, "a", more: #", "sub_label": "dhl""#)), at: now) == .ended("a"))
        let taken = frigate.finish("a")
        let sighting = try #require(taken)

        #expect(sighting.type == .vehicle && sighting.picture == Data([2]) && sighting.confidence == 96)
        #expect(sighting.description == "Car (dhl) in yard, driveway")
        #expect(sighting.camera == IntegrationCamera(kind: .frigate, name: "front_door") && sighting.source == "frigate")
        #expect(frigate.finish("a") == nil)
        #expect(frigate.receive(try event(FrigateMessages.car(.end, "a")), at: now) == nil && frigate.finish("a") == nil)
        frigate.reopen("a")
        #expect(frigate.receive(try event(FrigateMessages.car(.end, "a")), at: now) == .ended("a"), "what could not be kept comes again")
    }

    @Test("A false positive gives no event, also if Frigate marks it late")
    func mistakes() throws {
        var frigate = FrigateSightingTracker()

        #expect(frigate.receive(try event(FrigateMessages.car(.new, "a", isFalse: true)), at: now) == nil)
        #expect(frigate.receive(try event(FrigateMessages.car(.update, "b")), at: now) == .began("b"))
        #expect(frigate.receive(try event(FrigateMessages.car(.end, "b", isFalse: true)), at: now) == nil)
        #expect(frigate.finish("a") == nil && frigate.finish("b") == nil)
    }

    @Test("A review sets the urgency at any time and is an event of its own only without a detection")
    func reviews() throws {
        var frigate = FrigateSightingTracker()
        let alert = try #require(FrigateReview(Array(FrigateMessages.review(.new, "r1", "alert", events: ["a"], objects: ["car"]).utf8)))
        let bark = try #require(FrigateReview(Array(FrigateMessages.review(.new, "r2", "detection", sounds: ["bark"]).utf8)))

        #expect(frigate.receive(alert, at: now) == nil)
        _ = frigate.receive(try event(FrigateMessages.car(.new, "a")), at: now)
        #expect(frigate.finish("a")?.description == "Alert: car in yard, driveway")
        #expect(frigate.receive(bark, at: now) == .began("r2"))
        let taken = frigate.finish("r2")
        let heard = try #require(taken)
        #expect(heard.type.rawValue == "bark" && heard.description == "Bark in yard")
        #expect(FrigateReview(Array(#"{"type": "genai", "after": {}}"#.utf8)) == nil)
    }

    @Test("A flood of messages is skipped and memory stays bounded")
    func flood() throws {
        var frigate = FrigateSightingTracker()
        for number in 0..<10_000 {
            _ = frigate.receive(try event(FrigateMessages.car(.new, "a\(number)")), at: now)
            _ = frigate.finish("a\(number)")
        }
        for number in 0..<1000 { _ = frigate.receive(try event(FrigateMessages.car(.new, "b\(number)")), at: now.addingTimeInterval(61)) }

        #expect(frigate.pendingCount == FrigateSightingTracker.maximumPending)
        #expect(frigate.passedOver == 10_000 - FrigateSightingTracker.maximumPerMinute + 1000 - FrigateSightingTracker.maximumPending)
        #expect(frigate.receive(try event(FrigateMessages.car(.end, "b0")), at: now) == .ended("b0"))
    }

    @Test("Frigate topics are distinguished from other topics")
    func topics() {
        let topics = FrigateTopics(prefix: "cams/frigate")

        #expect(topics.filters.contains("cams/frigate/+/+/snapshot"))
        #expect(topics.read("cams/frigate/events") == .events && topics.read("cams/frigate/available") == .available)
        #expect(topics.read("cams/frigate/front_door/traffic light/snapshot") == .snapshot(camera: "front_door", label: "traffic light"))
        for other in ["cams/frigate", "cams/frigate/stats", "frigate/events", "cams/frigate/a/b/c/snapshot", "cams/frigate/a/b"] {
            #expect(topics.read(other) == nil)
        }
        for bad in ["", "#", "a/+", "$SYS", "cardea/x", "homeassistant"] {
            #expect(MQTTSettings(host: "h", frigatePrefix: bad).problem != nil, "\(bad)")
        }
        #expect(MQTTSettings(host: "h", frigatePrefix: "cams/frigate").problem == nil)
    }

    @Test("Five thousand damaged messages cause no crash and stay within limits")
    func fuzz() {
        var random = DamageGenerator(seed: 20_261_122)
        var frigate = FrigateSightingTracker()
        let corpus = [
            FrigateMessages.car(.new, "a", more: #", "sub_label": ["Ann", 0.9]"#), FrigateMessages.car(.end, "b"),
            FrigateMessages.review(.update, "r", "alert", events: ["a", "b"], objects: ["car"]),
            FrigateMessages.review(.new, "s", "alert", sounds: ["bark"]),
        ]
        var (told, read) = (0, 0)
        for round in 0..<5000 {
            if round % 20 == 0 { frigate = FrigateSightingTracker() }
            let bytes = random.damage(Array(corpus[Int.random(in: corpus.indices, using: &random)].utf8))
            let at = now.addingTimeInterval(Double(round))
            if FrigateEvent(bytes) != nil || FrigateReview(bytes) != nil { read += 1 }
            let steps = [
                FrigateEvent(bytes).flatMap { frigate.receive($0, at: at) }, FrigateReview(bytes).flatMap { frigate.receive($0, at: at) },
            ]
            for case let step? in steps + frigate.attachPicture(bytes, of: "car", on: "front_door") {
                switch step {
                case .began(let id), .pictured(let id), .ended(let id):
                    guard Bool.random(using: &random), let sighting = frigate.finish(id) else { continue }
                    told += 1
                    #expect(sighting.id.utf8.count <= 64 && sighting.place.utf8.count <= 64, "seed \(random.seed)")
                    #expect(
                        (sighting.description?.count ?? 0) <= 2000 && (0...100).contains(sighting.confidence ?? 0), "seed \(random.seed)")
                }
            }
            #expect(frigate.pendingCount <= FrigateSightingTracker.maximumPending, "seed \(random.seed)")
        }

        #expect(told > 20 && read > 500, "seed \(random.seed)")
    }
}

/// Frigate's messages, from its documentation.
enum FrigateMessages {
    static func car(
        _ phase: FrigateEvent.Phase, _ id: String, camera: String = "front_door", label: String = "car",
        start: String = "1607123955.475377",
        isFalse: Bool = false, more: String = ""
    ) -> String {
        let thing = """
            {"id": "\(id)", "camera": "\(camera)", "frame_time": 1607123962.082975, "snapshot": {"frame_time": 1607123961.837752,
            "box": [424, 500, 536, 712], "area": 23744, "region": [264, 450, 667, 853], "score": 0.77, "attributes": []},
            "label": "\(label)", "top_score": 0.958984375, "false_positive": \(isFalse), "start_time": \(start), "end_time": null,
            "score": 0.87890625, "box": [432, 496, 544, 854], "area": 40096, "ratio": 2.1, "region": [218, 440, 693, 915],
            "current_zones": ["driveway"], "entered_zones": ["yard", "driveway"], "thumbnail": null, "has_snapshot": true,
            "has_clip": false, "active": true, "stationary": false, "motionless_count": 0, "position_changes": 2, "attributes": {},
            "current_attributes": [], "path_data": []\(more)}
            """
        return #"{"type": "\#(phase.rawValue)", "before": \#(thing), "after": \#(thing)}"#
    }

    static func review(
        _ phase: FrigateEvent.Phase, _ id: String, _ severity: String, events: [String] = [], objects: [String] = [], sounds: [String] = []
    ) -> String {
        func list(_ words: [String]) -> String { "[" + words.map { "\"\($0)\"" }.joined(separator: ", ") + "]" }
        let item = """
            {"id": "\(id)", "camera": "front_door", "start_time": 1607123950.0, "end_time": null, "severity": "\(severity)",
            "thumb_path": "/media/frigate/clips/review/thumb.webp", "data": {"detections": \(list(events)), "objects": \(list(objects)),
            "sub_labels": [], "zones": ["yard"], "audio": \(list(sounds))}}
            """
        return #"{"type": "\#(phase.rawValue)", "before": \#(item), "after": \#(item)}"#
    }
}
