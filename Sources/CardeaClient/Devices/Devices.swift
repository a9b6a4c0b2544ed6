import CardeaAPI
import Foundation

/// The devices of the house and their commands.
public struct Devices: Sendable {
    let caller: AuthenticatedClient

    public func list(status: String? = nil, room: String? = nil, type: String? = nil) async throws(ClientError) -> DevicesAnswer {
        let query = [("status", status), ("location", room), ("device_type", type)]
        return try await caller.read(.get("api", "v1", "devices", query: query))
    }

    public func get(_ id: String) async throws(ClientError) -> DeviceAnswer {
        try await caller.read(.get("api", "v1", "devices", .id(id)))
    }

    /// The last picture of an image entity: JPEG, PNG, WebP or GIF.
    public func picture(of entityID: String, on deviceID: String) async throws(ClientError) -> Data {
        try await caller.response(.get("api", "v1", "devices", .id(deviceID), "entities", .id(entityID), "picture")).body
    }

    /// - Parameters:
    ///   - seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    ///   - key: the idempotency key, if the call may have been sent before.
    public func change(
        _ id: String, _ body: ChangeDeviceBody, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> DeviceAnswer {
        var call = try APICall.write(.patch, ["api", "v1", "devices", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Marks a button, a switch or a valve as a way in or, after a step-up, as none.
    public func mark(_ entityID: String, of deviceID: String, opensWayIn: Bool) async throws(ClientError) -> DeviceAnswer {
        let path: [PathSegment] = ["api", "v1", "devices", .id(deviceID), "entities", .id(entityID), "way-in"]
        return try await caller.read(.write(opensWayIn ? .put : .delete, path, key: caller.newIdempotencyKey))
    }

    /// The parts of a device that the house has stored as ways in, with the actions that open them.
    public func waysIn(_ deviceID: String) async throws(ClientError) -> WaysInAnswer {
        try await caller.read(.get("api", "v1", "devices", .id(deviceID), "ways-in"))
    }

    /// Confirms, after a step-up, that parts of a device are the same doors as before, or that they open no way in.
    ///
    /// - Parameter entityIDs: nil for all that await this confirmation.
    public func confirmSameDoor(sameDoor: Bool, of entityIDs: [String]? = nil, on deviceID: String) async throws(ClientError)
        -> DeviceAnswer
    {
        let path: [PathSegment] = ["api", "v1", "devices", .id(deviceID), "ways-in", sameDoor ? "same-door" : "none"]
        return try await caller.read(try .write(.post, path, WaysInBody(entityIDs: entityIDs), key: caller.newIdempotencyKey))
    }

    /// Makes one device of two, after a step-up. The id that passes or buttons name stays; the other one is another name of it.
    public func merge(_ id: String, with other: String) async throws(ClientError) -> MovedAnswer {
        let path: [PathSegment] = ["api", "v1", "devices", .id(id), "merge"]
        return try await caller.read(.write(.post, path, MergeDevicesBody(with: other), key: caller.newIdempotencyKey))
    }

    /// Puts an entity of a device in the place of a door that is gone or out of reach, after a step-up.
    ///
    /// - Parameter old: the old door's entity id.
    public func replace(_ old: String, by entityID: String, of deviceID: String) async throws(ClientError) -> MovedAnswer {
        let path: [PathSegment] = ["api", "v1", "devices", .id(deviceID), "replace"]
        return try await caller.read(.write(.post, path, ReplaceDoorBody(entityID: entityID, replaces: old), key: caller.newIdempotencyKey))
    }

    /// The doors that an entity of this device can replace.
    public func replaceable(by deviceID: String) async throws(ClientError) -> ReplaceableDoorsAnswer {
        try await caller.read(.get("api", "v1", "devices", .id(deviceID), "replaceable"))
    }

    /// Asks, and waits for the outcome. When the answer is lost on the way, the same command is asked about again, never a second one.
    /// Throws only if nothing was done; everything else is an outcome.
    public func control(_ command: DeviceCommand) async throws(ClientError) -> CommandOutcome {
        do { return CommandOutcome(try await submit(command)) } catch { return try CommandOutcome(losing: error) }
    }

    /// The same for callers that queue what could not be sent: the result of the call itself, even if the outcome of the command is
    /// unknown.
    public func submit(_ command: DeviceCommand) async throws(ClientError) -> CommandAnswer {
        let body = ControlBody(
            action: command.action, value: command.value, transitionTime: command.transitionTime, entityID: command.entityID)
        var call = try APICall.write(.put, ["api", "v1", "devices", .id(command.deviceID), "control"], body, key: command.key).urgent()
        // The command may wait for its turn, for the device's report and for a garage door to arrive.
        call.timeout = .seconds(75)
        return try await caller.read(call)
    }

    public func command(_ id: String) async throws(ClientError) -> CommandAnswer {
        try await caller.read(.get("api", "v1", "commands", .id(id)))
    }

    /// Waits for a pending command: polls once a second until it has ended or `patience` has passed.
    public func outcome(of id: String, patience: Duration) async throws(ClientError) -> CommandOutcome {
        let end = caller.pipeline.environment.now().addingTimeInterval(TimeInterval(patience.components.seconds))
        while true {
            let outcome = CommandOutcome(try await command(id))
            guard case .waiting = outcome, caller.pipeline.environment.now() < end else { return outcome }
            do { try await caller.pipeline.environment.sleep(.seconds(1)) } catch { throw .cancelled }
        }
    }
}

extension CommandOutcome {
    /// The outcome of a failed call; throws the error itself if the command certainly was not done.
    public init(losing error: ClientError) throws(ClientError) {
        switch error {
        // A gateway timed out; the house may have carried out the command.
        case .api(let answer) where answer.isGatewayFailure || answer.code == "in_flight": self = .unknown(nil)
        case .api(let answer):
            guard let outcome = CommandOutcome(answer) else { throw error }
            self = outcome
        case .interrupted, .timeout, .invalidResponse: self = .unknown(nil)
        default: throw error
        }
    }
}
