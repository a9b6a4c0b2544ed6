import Foundation

/// A house, as a program speaks to it.
///
///     let client = CardeaClient(hub: try HubAddress("https://house.example"), transport: transport, sessions: store)
///     try await client.sessions.login(username: "resident", password: password)
///     let door = try await client.devices.one("front-door")
///     let outcome = try await client.devices.control(DeviceCommand(door.deviceID, "unlock"))
///
/// One façade per capability; each call asks the hub, renews the session when it must, and says why when it cannot.
public struct CardeaClient: Sendable {
    public let hub: HubAddress
    let caller: AuthenticatedClient

    /// - Parameters:
    ///   - resilience: what is done about a hub that does not answer.
    ///   - metrics: told of every exchange, beside the program's own metrics.
    ///   - defaults: headers and timeout of every request.
    public init(
        hub: HubAddress, transport: any Transport, sessions: any SessionStore = MemorySessionStore(), resilience: Resilience = .standard,
        environment: ClientEnvironment = .live, metrics: (any CallMetricsDelegate)? = nil,
        defaults: RequestDefaults = RequestDefaults()
    ) {
        self.hub = hub
        let line = RequestPipeline(
            hub: hub, transport: transport, environment: environment, health: HubHealth(resilience), metrics: metrics,
            defaults: defaults)
        caller = AuthenticatedClient(pipeline: line, sessionManager: SessionManager(store: sessions, line: line))
    }

    /// Whether the house answers.
    public var reachability: Reachability { caller.pipeline.reachability }

    /// Gives back memory that holds answers which may be asked for again.
    public func releaseMemory() { caller.pipeline.etagCache.removeAll() }

    /// Coming in and going out.
    public var sessions: Sessions { Sessions(caller: caller) }
    /// Tokens for programs.
    public var apiTokens: APITokens { APITokens(caller: caller) }
    /// The phones that act for whoever is signed in, and those that wait to.
    public var phones: Phones { Phones(caller: caller) }
    /// An app's way to become one of them.
    public var phonePairing: PhonePairing { PhonePairing(caller: caller) }
    /// What one is told while one looks elsewhere.
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
    /// What the house answers, and how it feels.
    public var mind: Mind { Mind(caller: caller) }
    /// How new devices are taken in.
    public var interviews: Interviews { Interviews(caller: caller) }
    public var twins: Twins { Twins(caller: caller) }
    public var privacy: Privacy { Privacy(caller: caller) }
    public var maintenance: Maintenance { Maintenance(caller: caller) }
    /// What the sensors said over time.
    public var readings: Readings { Readings(caller: caller) }
    /// Who was at the door.
    public var events: Events { Events(caller: caller) }
    public var cameras: Cameras { Cameras(caller: caller) }
    public var webhooks: Webhooks { Webhooks(caller: caller) }
    /// The guests, as the house sees them.
    public var guests: Guests { Guests(caller: caller) }
    public var people: People { People(caller: caller) }
    /// What was asked, who waits, and why.
    public var access: Access { Access(caller: caller) }
    /// Who did what, and what proves it.
    public var audit: Audit { Audit(caller: caller) }
    /// The house as it changes.
    public var eventStream: EventStream { EventStream(caller: caller) }
    /// What has changed since.
    public var changes: Changes { Changes(caller: caller) }
    public var integrations: Integrations { Integrations(caller: caller) }
    /// What has no façade of its own, and what is too large to be held.
    public var untyped: UntypedRequests { UntypedRequests(caller: caller) }
    /// The guest's own side: no account, one pass.
    public var guestAccess: GuestAccess { GuestAccess(pipeline: caller.pipeline) }
}
