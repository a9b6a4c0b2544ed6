import CardeaModel
import Testing

@Suite("MQTT publications of buttons")
struct ButtonPublicationTests {
    private func problem(_ change: (inout ButtonPublication) -> Void) -> ButtonPublication.PublicationError? {
        var publication = ButtonPublication(topic: "home/garage", message: "1", stateTopic: "home/garage/state")
        change(&publication)
        do throws(ButtonPublication.PublicationError) {
            try publication.check()
            return nil
        } catch {
            return error
        }
    }

    @Test("A topic and a message are sufficient, and the default risk is open")
    func plain() throws {
        #expect(problem { _ in } == nil)
        #expect(ButtonPublication(topic: "t", message: "m").risk == .open)
    }

    @Test("An invalid publication is refused with a readable message")
    func refused() {
        #expect(problem { $0.topic = "" }?.rawValue == "MQTT topic empty")
        #expect(problem { $0.message = "" }?.rawValue == "message empty")
        #expect(problem { $0.message = "%T" }?.rawValue == "timestamp key format incorrect")
        #expect(
            problem {
                $0.message = "%T"
                $0.hasTimestampKey = true
            } == nil)
        for topic in ["home/+", "home/#", "$SYS/broker", "a\u{0}b", "a\nb", String(repeating: "t", count: 1025)] {
            #expect(problem { $0.topic = topic } == .topic)
            #expect(problem { $0.stateTopic = topic } == .stateTopic)
        }
        #expect(problem { $0.stateTopic = "" } == .stateTopic)
        #expect(problem { $0.stateTopic = "home/garage" } == .ownTopic)
        #expect(problem { $0.message = String(repeating: "m", count: 8193) } == .message)
        #expect(
            problem {
                $0.stateTopic = nil
                $0.stateMessage = "open"
            } == .stateMessage)
        #expect(problem { $0.risk = .read } == .risk)
    }

    @Test("Each refusal names the field of the request body")
    func fields() {
        let fields: [(ButtonPublication.PublicationError, String)] = [
            (.noTopic, "topic"), (.topic, "topic"), (.noMessage, "message"), (.message, "message"), (.stateTopic, "state_topic"),
            (.ownTopic, "state_topic"), (.stateMessage, "state_message"), (.timestampKey, "timestamp_key"), (.risk, "risk"),
        ]
        for (problem, field) in fields { #expect(problem.field == "publish.\(field)") }
    }
}
