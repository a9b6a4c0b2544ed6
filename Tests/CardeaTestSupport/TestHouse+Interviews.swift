import CardeaHub
import CardeaMind
import CardeaModel
import CardeaMindAdapter
import CardeaStore

extension TestHouse {
    /// A person who adds devices, as the route makes one.
    public func speaker(_ principal: Principal) async throws -> (speaker: CardeaMind.Interviews.Participant, record: ChangeRecorder) {
        let person = try await hub.mindFeed.requester(principal, needing: .addDevices)
        let actuator = HubInterviewActuator(hub, of: person, by: principal, origin: .house)
        return (
            .init(personID: person.id, visibility: RequesterVisibility(of: person), actuator: actuator),
            hub.mindFeed.recorder("interview.test", by: principal, origin: .house)
        )
    }

    /// A started interview.
    public func interview(of principal: Principal) async throws -> String {
        let (speaker, record) = try await speaker(principal)
        let id = "interview_" + hub.environment.newID()
        return try await mind.interviews.start(id: id, by: speaker, record: record).answer.stored.interview.id
    }
}
