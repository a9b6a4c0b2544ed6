import Foundation

/// A client of one house.
///
///     let client = CardeaClient(hub: try HubAddress("https://house.example"), transport: transport, sessions: store)
///     try await client.sessions.login(username: "resident", password: password)
///     let door = try await client.devices.get("front-door")
///     let outcome = try await client.devices.control(DeviceCommand(door.deviceID, "unlock"))
///
/// One façade for each capability. Each call asks the hub, renews the session when it must, and throws the reason when it cannot.
public struct CardeaClient: Sendable {
    public let hub: HubAddress
    let caller: AuthenticatedClient

    /// - Parameters:
    ///   - resilience: retries and circuit breaker for a hub that does not answer.
    ///   - metrics: receives every exchange, beside the program's own metrics.
    ///   - defaults: headers and timeout of every request.
    public init(
        hub: HubAddress, transport: any Transport, sessions: any SessionStore = MemorySessionStore(),
        resilience: ResilienceSettings = .standard,
        environment: ClientEnvironment = .live, metrics: (any CallMetricsDelegate)? = nil,
        defaults: RequestDefaults = RequestDefaults()
    ) {
        self.hub = hub
        let line = RequestPipeline(
            hub: hub, transport: transport, environment: environment, health: HubHealth(resilience), metrics: metrics,
            defaults: defaults)
        caller = AuthenticatedClient(pipeline: line, sessionManager: SessionManager(store: sessions, line: line))
    }

    /// Reachability of the hub.
    public var reachability: Reachability { caller.pipeline.reachability }

    /// Frees cached answers, which can be requested again.
    public func releaseMemory() { caller.pipeline.etagCache.removeAll() }

    /// Signing in and signing out.
    public var sessions: Sessions { Sessions(caller: caller) }
    /// Tokens for programs.
    public var apiTokens: APITokens { APITokens(caller: caller) }
    /// The signed-in person's phones, and those that wait for confirmation.
    public var phones: Phones { Phones(caller: caller) }
    /// An app's way to become one of them.
    public var phonePairing: PhonePairing { PhonePairing(caller: caller) }
    /// Notifications and their settings.
    public var notices: Notices { Notices(caller: caller) }
    public var house: House { House(caller: caller) }
    public var devices: Devices { Devices(caller: caller) }
    public var rooms: Rooms { Rooms(caller: caller) }
    /// Several things at one touch.
    public var scenes: Scenes { Scenes(caller: caller) }
    public var automations: Automations { Automations(caller: caller) }
    /// One thing at a touch.
    public var buttons: Buttons { Buttons(caller: caller) }
    public var tags: Tags { Tags(caller: caller) }
    /// Answers, memories and the mood of the house.
    public var mind: Mind { Mind(caller: caller) }
    /// Conversations that add new devices.
    public var interviews: DeviceInterviews { DeviceInterviews(caller: caller) }
    public var twins: Twins { Twins(caller: caller) }
    public var privacy: Privacy { Privacy(caller: caller) }
    public var maintenance: MaintenanceTasks { MaintenanceTasks(caller: caller) }
    /// Sensor history and energy use.
    public var readings: Readings { Readings(caller: caller) }
    /// Events of cameras, doorbells and scripts.
    public var events: Events { Events(caller: caller) }
    public var cameras: Cameras { Cameras(caller: caller) }
    public var webhooks: Webhooks { Webhooks(caller: caller) }
    /// The guests, as the house sees them.
    public var guests: Guests { Guests(caller: caller) }
    public var people: People { People(caller: caller) }
    /// Access requests, pending approvals and their reasons.
    public var access: Access { Access(caller: caller) }
    /// The audit log and its proofs.
    public var audit: Audit { Audit(caller: caller) }
    /// The house as it changes.
    public var eventStream: EventStream { EventStream(caller: caller) }
    /// The change journal.
    public var changes: Changes { Changes(caller: caller) }
    public var integrations: Integrations { Integrations(caller: caller) }
    /// Requests to endpoints without a typed method, and transfers too large for memory.
    public var untyped: UntypedRequests { UntypedRequests(caller: caller) }
    /// The guest's own side: no account, one pass.
    public var guestAccess: GuestAccess { GuestAccess(pipeline: caller.pipeline) }
}
