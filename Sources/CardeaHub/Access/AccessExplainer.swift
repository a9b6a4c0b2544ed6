import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Explains why a person can or cannot do something, check by check. Nothing is tried and no use is spent.
public struct AccessExplainer: Sendable {
    let store: Store
    let house: House
    let environment: HubEnvironment

    public struct Query: Sendable {
        public var guestID: String?
        public var personID: String?
        public var deviceID: String
        public var entityID: String?
        public var verb: Verb
        public var at: Date?
        public var isLocal: Bool

        public init(
            guestID: String?, personID: String?, deviceID: String, entityID: String?, verb: Verb, at: Date?, isLocal: Bool
        ) {
            self.guestID = guestID
            self.personID = personID
            self.deviceID = deviceID
            self.entityID = entityID
            self.verb = verb
            self.at = at
            self.isLocal = isLocal
        }
    }

    public struct Explanation: Sendable {
        public let decision: Gate.Decision
        public let grantID: String
        public let checks: [Gate.Check]
        /// The people who are asked, if the decision is to ask.
        public let answerers: ApproverGroup?
    }

    public enum ExplanationError: Error {
        case grantNotFound
        case deviceNotFound
        case unsupported(Verb)
    }

    public func explain(_ question: Query, by principal: Principal) async throws -> Explanation {
        let zone = house.current.timeZone
        let now = question.at ?? environment.now()
        return try await store.read { db in
            // People may ask about themselves; about others only with the right to invite guests.
            if case .person(let id, _) = principal, question.guestID == nil, question.personID == id {
                try People.require(.controlDevices, of: principal, in: db)
            } else {
                try People.require(.inviteGuests, of: principal, in: db)
            }
            let grant =
                try question.guestID.flatMap { try GuestRecords.grant($0, db) }
                ?? question.personID.flatMap { try PeopleRecords.one($0, db)?.grant }
            guard let grant else { throw ExplanationError.grantNotFound }
            guard let device = try DeviceRecords.one(question.deviceID, db) else { throw ExplanationError.deviceNotFound }
            let entity = device.entities.first { entity in
                question.entityID.map { $0 == entity.id } ?? (entity.resolve(question.verb) != nil)
            }
            guard let entity, let verb = entity.resolve(question.verb) else { throw ExplanationError.unsupported(question.verb) }
            let request = Gate.Request(verb, on: entity, of: device, isLocal: question.isLocal)
            let decision = Gate.decide(request, by: grant, at: now, zone: zone)
            return Explanation(
                decision: decision, grantID: grant.id, checks: Gate.explain(request, by: grant, at: now, zone: zone),
                answerers: decision == .ask ? try GuestApprovers.chosen(db) : nil)
        }
    }
}
