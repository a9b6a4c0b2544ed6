import CardeaAPI
import CardeaModel
import Foundation

/// Access requests, pending approvals, recent activity, and the reasons for allowing or refusing access.
public struct Access: Sendable {
    let caller: AuthenticatedClient

    /// Filters the recent activity, which comes newest first.
    public struct Filter: Hashable, Sendable {
        public var limit: Int?
        /// Only entries before this one.
        public var before: Int?
        public var guestID: String?
        public var deviceID: String?
        public var result: String?

        public init(
            limit: Int? = nil, before: Int? = nil, guestID: String? = nil, deviceID: String? = nil, result: String? = nil
        ) {
            self.limit = limit
            self.before = before
            self.guestID = guestID
            self.deviceID = deviceID
            self.result = result
        }
    }

    public func activity(_ filter: Filter = Filter()) async throws(ClientError) -> ActivityAnswer {
        let query = [
            ("limit", filter.limit.map(String.init)), ("before", filter.before.map(String.init)), ("guest_id", filter.guestID),
            ("device_id", filter.deviceID), ("result", filter.result),
        ]
        return try await caller.read(.get("api", "v1", "activity", query: query))
    }

    /// All of the activity that `filter` means, the newest first; its `limit` is the size of a page.
    public func entries(_ filter: Filter = Filter()) -> Pages<ActivityEntry> {
        Pages { place throws(ClientError) in
            var filter = filter
            if let place { filter.before = place }
            let page = try await activity(filter)
            return (page.entries, page.nextBefore)
        }
    }

    /// Changes of the last 30 days to things that can open a door or listen, newest first.
    ///
    /// - Parameter personID: the person who made the changes; nil for the signed-in person.
    public func changes(of personID: String? = nil) async throws(ClientError) -> AccessChangesAnswer {
        try await caller.read(.get("api", "v1", "people", .id(personID ?? "me"), "access-changes"))
    }

    /// Switches such a thing off, or on again if it still exists.
    public func setEnabled(_ change: AccessChangeAnswer, on isOn: Bool) async throws(ClientError) {
        let path: [PathSegment] = ["api", "v1", "access-changes", .id(change.thing.rawValue), .id(change.id)]
        try await caller.perform(.write(.put, path, TurnAccessBody(isOn: isOn), key: caller.newIdempotencyKey))
    }

    public func pendingApprovals() async throws(ClientError) -> AsksAnswer {
        try await caller.read(.get("api", "v1", "asks"))
    }

    /// Approves or denies a waiting access request at a door.
    public func answerApproval(command id: String, yes: Bool) async throws(ClientError) {
        try await caller.perform(
            .write(.post, ["api", "v1", "commands", .id(id), yes ? "approve" : "reject"], key: caller.newIdempotencyKey).urgent())
    }

    public func explain(_ body: ExplainBody) async throws(ClientError) -> ExplainAnswer {
        try await caller.read(.write(.post, ["api", "v1", "explain"], body, key: caller.newIdempotencyKey))
    }
}
