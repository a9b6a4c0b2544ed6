import CardeaAPI
import Foundation

/// The things in the house, and what can be asked of them.
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
    ///   - seen: the version it was when somebody decided; refused with `precondition_failed` where it is another now.
    ///   - key: the change's own name, where it may have been asked for before.
    public func change(
        _ id: String, _ body: ChangeDeviceBody, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> DeviceAnswer {
        var call = try APICall.write(.patch, ["api", "v1", "devices", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Says that a button, a switch or a valve opens a way in, or, after a step-up, that it does not.
    public func mark(_ entityID: String, of deviceID: String, opensWayIn: Bool) async throws(ClientError) -> DeviceAnswer {
        let path: [PathSegment] = ["api", "v1", "devices", .id(deviceID), "entities", .id(entityID), "way-in"]
        return try await caller.read(.write(opensWayIn ? .put : .delete, path, key: caller.newIdempotencyKey))
    }

    /// The parts of a device that are ways in by the house's memory, and how they are told to open.
    public func waysIn(_ deviceID: String) async throws(ClientError) -> WaysInAnswer {
        try await caller.read(.get("api", "v1", "devices", .id(deviceID), "ways-in"))
    }

    /// Says, after a step-up, that parts of a device are the doors that they were, or that they open no way in.
    ///
    /// - Parameter entityIDs: nil for all that wait for such a word.
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

    /// The doors whose place a part of this device can take.
    public func replaceable(by deviceID: String) async throws(ClientError) -> ReplaceableDoorsAnswer {
        try await caller.read(.get("api", "v1", "devices", .id(deviceID), "replaceable"))
    }

    /// Asks, and waits for the outcome. When the answer is lost on the way, the same command is asked about again, never a second one.
    /// Throws only where nothing was done; everything else is an outcome.
    public func control(_ command: DeviceCommand) async throws(ClientError) -> CommandOutcome {
        do { return CommandOutcome(try await submit(command)) } catch { return try CommandOutcome(losing: error) }
    }

    /// The same for whoever keeps what could not be said: tells what became of the call, also where nobody knows what became of the command.
    public func submit(_ command: DeviceCommand) async throws(ClientError) -> CommandAnswer {
        let body = ControlBody(
            action: command.action, value: command.value, transitionTime: command.transitionTime, entityID: command.entityID)
        var call = try APICall.write(.put, ["api", "v1", "devices", .id(command.deviceID), "control"], body, key: command.key).urgent()
        // Waiting for its turn, for the device's word and for a garage door to arrive.
        call.timeout = .seconds(75)
        return try await caller.read(call)
    }

    public func command(_ id: String) async throws(ClientError) -> CommandAnswer {
        try await caller.read(.get("api", "v1", "commands", .id(id)))
    }

    /// Waits for a command that was still under way: asks once a second until it is over or `patience` is.
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
    /// The outcome where a call went wrong; throws the error itself where nothing can have happened.
    public init(losing error: ClientError) throws(ClientError) {
        switch error {
        // What stands in between gave up on the house, which may have done it all the same.
        case .api(let answer) where answer.isGatewayFailure || answer.code == "in_flight": self = .unknown(nil)
        case .api(let answer):
            guard let outcome = CommandOutcome(answer) else { throw error }
            self = outcome
        case .interrupted, .timeout, .invalidResponse: self = .unknown(nil)
        default: throw error
        }
    }
}
