import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSenses
import CardeaStore

extension TestHouse {
    /// Somebody who takes devices in, as the route makes them.
    public func speaker(_ principal: Principal) async throws -> (speaker: CardeaMind.Interviews.Speaker, record: Recorder) {
        let person = try await hub.insight.asker(principal, needing: .addDevices)
        let hands = HouseHands(hub, of: person, by: principal, origin: .house)
        return (
            .init(personID: person.id, sight: Sight(of: person), hands: hands),
            hub.insight.recorder("interview.test", by: principal, origin: .house)
        )
    }

    /// A conversation that was begun.
    public func interview(of principal: Principal) async throws -> String {
        let (speaker, record) = try await speaker(principal)
        let id = "interview_" + hub.surroundings.newID()
        return try await mind.interviews.start(id: id, by: speaker, record: record).answer.kept.interview.id
    }
}
