import CardeaModel
import Foundation
import Testing

@testable import CardeaMQTT

/// One announced entity, with its messages and commands, without a broker.
enum MappingFixture {
    static func entity(_ component: String, _ config: String) throws -> AnnouncedEntity {
        let topic = try #require(DiscoveryTopic("homeassistant/\(component)/x/config", prefix: "homeassistant"))
        return try #require(try DiscoveryParser.read(Array(config.utf8), at: topic).entities.first)
    }

    /// The state after each message, in order; nil if a message gives none.
    static func states(_ entity: AnnouncedEntity, _ messages: [(String, String)], from first: EntityState = EntityState()) -> [EntityState?]
    {
        var state = first
        return messages.map { topic, text in
            let heard = IncomingMessage(topic: topic, payload: Array(text.utf8), at: Date(timeIntervalSince1970: 1_796_000_000.25))
            let next = entity.mapping.state(state, after: heard)
            if let next { state = next }
            return next
        }
    }

    /// The values after each message.
    static func values(_ entity: AnnouncedEntity, _ topic: String, _ texts: [String]) -> [String?] {
        states(entity, texts.map { (topic, $0) }).map { $0?.value }
    }

    /// The state after the last message.
    static func state(_ entity: AnnouncedEntity, _ messages: [(String, String)]) -> EntityState {
        states(entity, messages).compactMap(\.self).last ?? EntityState()
    }
}

/// Commands to one entity, and the messages of Home Assistant 2025.4 for each: `topic: payload`, separated by a bar.
struct CommandRow: Sendable, CustomTestStringConvertible {
    let config: String
    let said: [(String, String)]
    let commands: [(Verb, JSONValue?, String)]

    init(_ config: String, after said: [(String, String)] = [], _ commands: [(Verb, JSONValue?, String)]) {
        self.config = config
        self.said = said
        self.commands = commands
    }

    var testDescription: String { config }

    /// Compares the messages of the entity with those of Home Assistant.
    func check(_ component: String) throws {
        let entity = try MappingFixture.entity(component, config)
        let state = MappingFixture.state(entity, said)
        for (verb, value, sent) in commands {
            #expect(entity.mapping.verbs.contains(verb))
            let telegrams = entity.mapping.commandMessages(for: verb, value: value, transition: nil, code: nil, in: state) ?? []
            #expect(telegrams.allSatisfy { entity.mapping.commandTopics.contains($0.topic) })
            #expect(telegrams.map { "\($0.topic): \($0.payload)" }.joined(separator: " | ") == sent)
        }
    }
}
