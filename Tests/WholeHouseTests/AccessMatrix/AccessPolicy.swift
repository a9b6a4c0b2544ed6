import CardeaAPI
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import HTTPTypes

/// One operation of the house, and who may call it.
struct MatrixOperation: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let rule: AccessRule
    var things: [ResourceOwnership] = [.none]
    /// The kinds of the ids in the path, in order.
    var kinds: [MatrixCallers.ResourceKind] = []
    /// The body, where it differs between callers.
    var body: @Sendable (MatrixCaller, ResourceOwnership, MatrixCallers) -> String? = { _, _, _ in nil }
    var query: @Sendable (MatrixCaller, ResourceOwnership, MatrixCallers) -> String = { _, _, _ in "" }
    /// The status codes of the answer to a caller who is let through.
    var done: Set<Int> = [200, 201, 204]
    /// The error code beside it, if an authorised call still cannot succeed.
    var doneCode: String?
    /// True if the credential is in the body, and nowhere else.
    var showsInBody = false
    /// True if a phone may send the request for the person it acts for.
    var isOpenToPhones = false

    /// The expected outcome. A phone is refused wherever its person would be known and phones are not allowed.
    func expectedOutcome(_ visitor: MatrixCaller, _ thing: ResourceOwnership) -> ExpectedOutcome {
        let verdict = rule.judge(visitor, thing)
        let nobody = MatrixCaller(name: "nobody", identity: .stranger, credential: .none)
        guard visitor.isPhone, !isOpenToPhones, verdict != .notSignedIn, rule.judge(nobody, thing) == .notSignedIn else { return verdict }
        return .forbidden
    }

    var name: String { "\(method) \(path)" }

    init(_ method: HTTPRequest.Method, _ path: String, _ rule: AccessRule, body: String? = nil) {
        self.method = method
        self.path = path
        self.rule = rule
        if let body { self.body = { _, _, _ in body } }
    }

    /// The same for objects of a kind.
    func onKinds(_ kinds: MatrixCallers.ResourceKind..., things: [ResourceOwnership] = ResourceOwnership.named) -> MatrixOperation {
        var operation = self
        operation.kinds = kinds
        operation.things = things
        return operation
    }

    func withBody(_ body: @escaping @Sendable (MatrixCaller, ResourceOwnership, MatrixCallers) -> String?) -> MatrixOperation {
        var operation = self
        operation.body = body
        return operation
    }

    func withQuery(_ query: @escaping @Sendable (MatrixCaller, ResourceOwnership, MatrixCallers) -> String) -> MatrixOperation {
        var operation = self
        operation.query = query
        return operation
    }

    func expecting(_ done: Int..., code: String? = nil) -> MatrixOperation {
        var operation = self
        operation.done = Set(done)
        operation.doneCode = code
        return operation
    }

    func openToPhones() -> MatrixOperation {
        var operation = self
        operation.isOpenToPhones = true
        return operation
    }

    func credentialInBody() -> MatrixOperation {
        var operation = self
        operation.showsInBody = true
        return operation
    }
}

/// The policy of every operation. A route without one fails the test.
enum AccessPolicy {
    private static let v1 = "/api/v1"
    private static let mobile = v1 + "/mobile"
    private static let unlock = #"{"action":"unlock"}"#
    private static let room = #"{"name":"Den"}"#
    private static let scene = #"{"name":"Evening","actions":[{"device_id":"hall-light","action":"off"}]}"#
    private static let pass =
        #"{"name":"Plumber","grants":[{"device_id":"front-door","actions":["door.open"]}],"expires_at":"2027-01-01T00:00:00Z","max_uses":1}"#
    private static let person = #"{"name":"Ben","role":"member"}"#

    static let rows: [MatrixOperation] =
        signingIn + ownAccount + people + privacy + devices + events + cameras + tags + mind + notices + guests + phones + operations

    /// Signing in and out.
    private static let signingIn: [MatrixOperation] = [
        MatrixOperation(.get, v1 + "/claim", .everybody),
        // Routes without a known caller need their body, and nothing else.
        MatrixOperation(.post, v1 + "/claim", .everybody, body: "{}").expecting(400),
        MatrixOperation(.post, v1 + "/auth/login", .everybody, body: "{}").expecting(400),
        MatrixOperation(.post, v1 + "/auth/recovery", .everybody, body: "{}").expecting(400),
        MatrixOperation(.post, v1 + "/people/accept", .everybody, body: "{}").expecting(400),
        MatrixOperation(.post, v1 + "/auth/passkeys/login/options", .everybody, body: "{}"),
        MatrixOperation(.post, v1 + "/auth/passkeys/login/verify", .everybody, body: "{}").expecting(400),
        MatrixOperation(.post, v1 + "/auth/refresh", .renewing).withBody { visitor, _, _ in #"{"refresh_token":"\#(visitor.secret)"}"# }
            .credentialInBody(),
        MatrixOperation(.post, v1 + "/auth/logout", .signingOut),
    ]

    /// Operations on the caller's own account.
    private static let ownAccount: [MatrixOperation] = [
        MatrixOperation(.get, v1 + "/people/me", .everyPerson()).openToPhones(),
        MatrixOperation(.put, v1 + "/people/me/password", .everyPerson())
            .withBody { _, _, _ in #"{"current_password":"\#(TestHouse.password.reveal())","new_password":"a new one at last"}"# },
        MatrixOperation(.get, v1 + "/people/me/preferences", .everyPerson()).openToPhones(),
        MatrixOperation(.put, v1 + "/people/me/preferences", .everyPerson(), body: #"{"temperature_unit":"fahrenheit"}"#),
        MatrixOperation(.get, v1 + "/auth/sessions", .everyPerson()),
        MatrixOperation(.post, v1 + "/auth/sessions/revoke-all", .everyPerson(stepUp: true)),
        MatrixOperation(.delete, v1 + "/auth/sessions/{id}", AccessRule.ownSession).onKinds(.session),
        MatrixOperation(.post, v1 + "/auth/step-up", .everyPerson())
            .withBody { _, _, _ in #"{"password":"\#(TestHouse.password.reveal())"}"# },
        MatrixOperation(.get, v1 + "/auth/passkeys", .everyPerson()),
        MatrixOperation(.post, v1 + "/auth/passkeys/register/options", .everyPerson(stepUp: true), body: "{}"),
        MatrixOperation(
            .post, v1 + "/auth/passkeys/register/verify", .everyPerson(),
            body:
                #"{"credential":{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"AA","attestationObject":"AA"}}}"#
        ).expecting(401, code: "passkey_refused"),
        MatrixOperation(.patch, v1 + "/auth/passkeys/{id}", .ownThing(), body: #"{"name":"Old phone"}"#).onKinds(.passkey),
        MatrixOperation(.delete, v1 + "/auth/passkeys/{id}", .ownThing(stepUp: true)).onKinds(.passkey),
        MatrixOperation(.get, v1 + "/auth/recovery-codes", .everyPerson()),
        MatrixOperation(.post, v1 + "/auth/recovery-codes", .everyPerson(stepUp: true)),
        MatrixOperation(.get, v1 + "/auth/api-tokens", .everyPerson()),
        MatrixOperation(.post, v1 + "/auth/api-tokens", .holding(.controlDevices, stepUp: true), body: #"{"name":"Script"}"#),
        MatrixOperation(.delete, v1 + "/auth/api-tokens/{id}", .ownThing()).onKinds(.token),
    ]

    private static let privacy: [MatrixOperation] = [
        MatrixOperation(.get, v1 + "/privacy", .everyPerson()),
        MatrixOperation(.get, v1 + "/retention", .holding(.controlDevices)),
        MatrixOperation(.get, v1 + "/backups", .holding(.modifySettings)),
        MatrixOperation(.put, v1 + "/retention", .ownerOnly, body: #"{"days":{"notices":20}}"#),
        // This house stores no files.
        MatrixOperation(.post, v1 + "/people/{id}/export", .erasingPerson).onKinds(.person, things: ResourceOwnership.people).expecting(
            409),
        MatrixOperation(.post, v1 + "/guests/{id}/export", .erasingGuest).onKinds(.pass).expecting(409),
        // The last owner cannot be erased.
        MatrixOperation(.post, v1 + "/people/{id}/erase", .erasingPerson).onKinds(.person, things: ResourceOwnership.people).expecting(
            202, 409),
        MatrixOperation(.post, v1 + "/guests/{id}/erase", .erasingGuest).onKinds(.pass).expecting(202),
        MatrixOperation(.get, v1 + "/jobs", .everyPerson()),
        MatrixOperation(.get, v1 + "/jobs/{id}", .ownJob).onKinds(.job),
        // The job is finished.
        MatrixOperation(.delete, v1 + "/jobs/{id}", .ownJob).onKinds(.job).expecting(409),
        // It was kept for its day.
        MatrixOperation(.get, v1 + "/jobs/{id}/archive", .ownArchive).onKinds(.job).expecting(404),
        // The answer is the same for every person, whatever their client still has to confirm.
        MatrixOperation(.post, v1 + "/erasures", .everyPerson(), body: #"{"confirmed":["person_nobody"]}"#).openToPhones(),
        MatrixOperation(.get, v1 + "/maintenance", .holding(.controlDevices)),
        MatrixOperation(.post, v1 + "/maintenance", .holding(.manageMaintenance), body: #"{"title":"Change the filter"}"#),
        MatrixOperation(.get, v1 + "/maintenance/{id}", .thing(.controlDevices)).onKinds(.task),
        MatrixOperation(.patch, v1 + "/maintenance/{id}", .thing(.manageMaintenance), body: #"{"priority":"high"}"#).onKinds(.task),
        MatrixOperation(.delete, v1 + "/maintenance/{id}", .thing(.manageMaintenance)).onKinds(.task),
        MatrixOperation(.post, v1 + "/maintenance/{id}/complete", .thing(.manageMaintenance), body: "{}").onKinds(.task),
        MatrixOperation(.get, v1 + "/maintenance/{id}/history", .thing(.controlDevices)).onKinds(.task),
    ]

    private static let people: [MatrixOperation] = [
        MatrixOperation(.get, v1 + "/people", .holding(.controlDevices)),
        MatrixOperation(.post, v1 + "/people", .addingPeople, body: person),
        MatrixOperation(.patch, v1 + "/people/{id}", .managing(ownIsTheirs: true, stepUp: false), body: #"{"name":"Anew"}"#)
            .onKinds(.person, things: ResourceOwnership.people),
        MatrixOperation(.patch, v1 + "/people/{id}", .managing(ownIsTheirs: false, stepUp: true), body: #"{"can_invite_guests":true}"#)
            .onKinds(.person, things: ResourceOwnership.people),
        MatrixOperation(.delete, v1 + "/people/{id}", .managing(ownIsTheirs: false, stepUp: true)).onKinds(
            .person, things: ResourceOwnership.people
        )
        .expecting(204, 409),
        MatrixOperation(.post, v1 + "/people/{id}/invite", .managing(ownIsTheirs: false, stepUp: true)).onKinds(
            .person, things: ResourceOwnership.people
        )
        .expecting(201, 409),
        MatrixOperation(.get, v1 + "/people/{id}/sessions", .managing(ownIsTheirs: true, stepUp: false)).onKinds(
            .person, things: ResourceOwnership.people),
        MatrixOperation(.delete, v1 + "/people/{id}/sessions", .managing(ownIsTheirs: true, stepUp: true)).onKinds(
            .person, things: ResourceOwnership.people),
        MatrixOperation(.delete, v1 + "/people/{id}/sessions/{session_id}", .managing(ownIsTheirs: true, stepUp: false))
            .onKinds(.person, .session, things: ResourceOwnership.people + [.crossed]),
        MatrixOperation(.get, v1 + "/people/{id}/access-changes", .managing(ownIsTheirs: true, stepUp: false)).onKinds(
            .person, things: ResourceOwnership.people),
        MatrixOperation(.put, v1 + "/access-changes/{thing}/{id}", .thing(.modifySettings), body: #"{"is_on":false}"#).onKinds(
            .sceneWord, .scene),
    ]

    private static let devices: [MatrixOperation] = [
        MatrixOperation(.get, v1 + "/house", .everyoneKnown).openToPhones(),
        MatrixOperation(.get, v1 + "/house/certificate", .everyoneKnown).expecting(404).openToPhones(),
        MatrixOperation(.put, v1 + "/house", .holding(.modifySettings), body: #"{"number_of_floors":2}"#),
        MatrixOperation(.get, v1 + "/devices", .seeingDevices).openToPhones(),
        MatrixOperation(.get, v1 + "/devices/{id}", .seeingDevices).onKinds(.device).openToPhones(),
        MatrixOperation(.patch, v1 + "/devices/{id}", .thing(.modifySettings), body: #"{"name":"Gate"}"#).onKinds(.device),
        MatrixOperation(.delete, v1 + "/devices/{id}", .thing(.addDevices)).onKinds(.device),
        MatrixOperation(.put, v1 + "/devices/{id}/entities/{entity_id}/way-in", .thing(.modifySettings)).onKinds(.device, .device)
            .expecting(400),
        MatrixOperation(.delete, v1 + "/devices/{id}/entities/{entity_id}/way-in", .thing(.modifySettings)).onKinds(.device, .device)
            .expecting(400),
        MatrixOperation(.get, v1 + "/devices/{id}/ways-in", .thing(.modifySettings)).onKinds(.device),
        MatrixOperation(.post, v1 + "/devices/{id}/ways-in/same-door", .thing(.modifySettings), body: "{}").onKinds(.device),
        MatrixOperation(.post, v1 + "/devices/{id}/ways-in/none", .thing(.modifySettings), body: "{}").onKinds(.device),
        // Devices of an in-memory house are fixed, and none has such a part.
        MatrixOperation(.post, v1 + "/devices/{id}/merge", .thing(.modifySettings, stepUp: true), body: #"{"with":"hall-light"}"#).onKinds(
            .device
        )
        .expecting(409),
        MatrixOperation(
            .post, v1 + "/devices/{id}/replace", .thing(.modifySettings, stepUp: true), body: #"{"entity_id":"lock.x","replaces":"lock.y"}"#
        ).onKinds(.device).expecting(400),
        MatrixOperation(.get, v1 + "/devices/{id}/replaceable", .thing(.modifySettings)).onKinds(.device),
        MatrixOperation(.put, v1 + "/devices/{id}/control", .movingDoors(), body: unlock).onKinds(.device).openToPhones(),
        MatrixOperation(.post, v1 + "/devices/batch-control", .movingDoors(inside: true)).onKinds(.device).openToPhones().withBody {
            visitor, thing, visitors in
            #"{"devices":[{"device_id":"\#(visitors.id(.device, thing, for: visitor))","action":"unlock"}]}"#
        },
        // None of them has a picture entity.
        MatrixOperation(.get, v1 + "/devices/{id}/entities/{entity_id}/picture", .thing(.controlDevices)).onKinds(.device, .entity)
            .expecting(404)
            .openToPhones(),
        MatrixOperation(.get, v1 + "/devices/{id}/history", .thing(.controlDevices)).onKinds(.sensor).openToPhones(),
        MatrixOperation(.get, v1 + "/energy", .holding(.viewEnergy)).openToPhones(),
        MatrixOperation(.get, v1 + "/environment", .holding(.viewEnergy)).openToPhones(),
        MatrixOperation(.get, v1 + "/commands/{id}", .ownCommand).onKinds(.command).openToPhones(),
        MatrixOperation(.post, v1 + "/commands/{id}/approve", .thing(.inviteGuests)).onKinds(.ask),
        MatrixOperation(.post, v1 + "/commands/{id}/reject", .thing(.inviteGuests)).onKinds(.ask),
        MatrixOperation(.get, v1 + "/scenes", .holding(.controlDevices)).openToPhones(),
        MatrixOperation(.post, v1 + "/scenes", .holding(.modifySettings), body: scene),
        MatrixOperation(.get, v1 + "/scenes/{id}", .thing(.controlDevices)).onKinds(.scene).openToPhones(),
        MatrixOperation(.put, v1 + "/scenes/{id}", .thing(.modifySettings), body: scene).onKinds(.scene),
        MatrixOperation(.delete, v1 + "/scenes/{id}", .thing(.modifySettings)).onKinds(.scene),
        MatrixOperation(.post, v1 + "/scenes/{id}/run", .thing(.controlDevices)).onKinds(.scene).openToPhones(),
        MatrixOperation(.get, v1 + "/rooms", .holding(.controlDevices)).openToPhones(),
        MatrixOperation(.post, v1 + "/rooms", .holding(.modifySettings), body: room),
        MatrixOperation(.get, v1 + "/rooms/{id}", .thing(.controlDevices)).onKinds(.room).openToPhones(),
        MatrixOperation(.put, v1 + "/rooms/{id}", .thing(.modifySettings), body: room).onKinds(.room),
        MatrixOperation(.delete, v1 + "/rooms/{id}", .thing(.modifySettings)).onKinds(.room),
        MatrixOperation(.get, v1 + "/integrations", .holding(.modifySettings)),
        MatrixOperation(.get, v1 + "/integrations/nearby", .holding(.modifySettings)),
        MatrixOperation(.get, v1 + "/integrations/mqtt", .holding(.modifySettings)),
        // Nothing was announced in this house, and its integration checks nothing.
        MatrixOperation(.get, v1 + "/integrations/mqtt/announcement", .holding(.modifySettings)).withQuery { _, _, _ in "?topic=x" }
            .expecting(404),
        MatrixOperation(.post, v1 + "/integrations/mqtt/check-announcement", .holding(.modifySettings), body: #"{"announcement":"{}"}"#)
            .expecting(404),
        MatrixOperation(
            .put, v1 + "/integrations/mqtt", .holding(.modifySettings, stepUp: true), body: #"{"host":"localhost","port":1883}"#),
        MatrixOperation(.delete, v1 + "/integrations/mqtt", .holding(.modifySettings)),
        MatrixOperation(.post, v1 + "/integrations/mqtt/test", .holding(.modifySettings)),
        MatrixOperation(.put, v1 + "/integrations/endpoint", .holding(.modifySettings, stepUp: true), body: #"{"host":"localhost"}"#),
        MatrixOperation(.delete, v1 + "/integrations/endpoint", .holding(.modifySettings)),
        MatrixOperation(.post, v1 + "/integrations/endpoint/test", .holding(.modifySettings)),
        MatrixOperation(
            .put, v1 + "/integrations/home-assistant", .holding(.modifySettings, stepUp: true),
            body: #"{"url":"http://localhost:8123","token":"t"}"#),
        MatrixOperation(.delete, v1 + "/integrations/home-assistant", .holding(.modifySettings)),
        MatrixOperation(.post, v1 + "/integrations/home-assistant/test", .holding(.modifySettings)),
        MatrixOperation(
            .post, v1 + "/integrations/virtual/faults", .holding(.modifySettings), body: #"{"device_id":"front-door","fault":"none"}"#),
    ]

    private static let openingAutomation =
        #"{"name":"Out","triggers":[{"type":"refused"}],"actions":[{"type":"control","device_id":"front-door","action":"unlock"}]}"#

    /// The same routes with other bodies, where those give another person more access than before.
    static let openingRoutes: [MatrixOperation] = [
        MatrixOperation(.patch, v1 + "/devices/{id}", .thing(.modifySettings, stepUp: true), body: #"{"is_security_device":false}"#)
            .onKinds(.device, things: [.anothers]),
        MatrixOperation(.patch, v1 + "/devices/{id}", .thing(.modifySettings, stepUp: true), body: #"{"is_guest_accessible":true}"#)
            .onKinds(.device, things: [.anothers]),
        MatrixOperation(.post, v1 + "/automations", .holding(.modifySettings, stepUp: true), body: openingAutomation),
        MatrixOperation(.put, v1 + "/automations/{id}", .thing(.modifySettings, stepUp: true), body: openingAutomation).onKinds(
            .automation, things: [.own]),
    ]

    private static let seen = #"{"source":"bell","type":"person","occurred_at":"\#(Timestamp.text(ManualClock().now))"}"#

    private static let events: [MatrixOperation] = [
        MatrixOperation(.get, v1 + "/mobile/events", .holding(.controlDevices)).openToPhones(),
        MatrixOperation(.get, v1 + "/mobile/events/recent", .holding(.controlDevices)).openToPhones(),
        MatrixOperation(.get, v1 + "/mobile/events/{id}", .thing(.controlDevices)).onKinds(.event).openToPhones(),
        // None of them has a picture.
        MatrixOperation(.get, v1 + "/mobile/events/{id}/thumbnail", .thing(.controlDevices)).onKinds(.event).expecting(404).openToPhones(),
        MatrixOperation(.get, v1 + "/events/{id}/picture", .thing(.controlDevices)).onKinds(.event).expecting(404).openToPhones(),
        // The program's token lacks this permission.
        MatrixOperation(.post, v1 + "/events", .holding(.modifySettings), body: seen),
        MatrixOperation(.delete, v1 + "/events/{id}", .thing(.modifySettings)).onKinds(.event),
        MatrixOperation(.get, v1 + "/incidents", .holding(.controlDevices)).openToPhones(),
    ]

    private static let camera = #"{"name":"Porch","source":{"kind":"rtsp","url":"rtsp://192.168.1.20/s"}}"#

    private static let cameras: [MatrixOperation] = [
        MatrixOperation(.get, v1 + "/cameras", .holding(.controlDevices)).openToPhones(),
        MatrixOperation(.post, v1 + "/cameras", .holding(.modifySettings, stepUp: true), body: camera),
        MatrixOperation(.get, v1 + "/cameras/{id}", .thing(.controlDevices)).onKinds(.camera).openToPhones(),
        MatrixOperation(.patch, v1 + "/cameras/{id}", .thing(.modifySettings), body: #"{"name":"Yard"}"#).onKinds(.camera),
        MatrixOperation(.delete, v1 + "/cameras/{id}", .thing(.modifySettings)).onKinds(.camera),
        MatrixOperation(.get, v1 + "/cameras/{id}/snapshot", .thing(.controlDevices)).onKinds(.camera).openToPhones(),
        MatrixOperation(.get, v1 + "/cameras/{id}/preview", .thing(.controlDevices)).onKinds(.camera).openToPhones(),
        MatrixOperation(.get, v1 + "/mobile/cameras", .holding(.controlDevices)).openToPhones(),
        MatrixOperation(.get, v1 + "/mobile/cameras/{id}/snapshot", .thing(.controlDevices)).onKinds(.camera).openToPhones(),
        MatrixOperation(.get, v1 + "/webhooks", .holding(.modifySettings)),
        MatrixOperation(.post, v1 + "/webhooks", .holding(.modifySettings, stepUp: true), body: #"{"name":"Bell","make":"shelly"}"#),
        MatrixOperation(.delete, v1 + "/webhooks/{id}", .thing(.modifySettings)).onKinds(.webhook),
        // No token is required: the secret in the path is invalid, and too many of those are throttled.
        MatrixOperation(.get, "/hook/{id}", .everybody).expecting(404, 429),
        MatrixOperation(.get, "/hook/{id}/{kind}", .everybody).expecting(404, 429),
        MatrixOperation(.post, "/hook/{id}", .everybody).expecting(404, 429),
        MatrixOperation(.post, "/hook/{id}/{kind}", .everybody).expecting(404, 429),
        MatrixOperation(.put, "/hook/{id}", .everybody).expecting(404, 429),
        MatrixOperation(.put, "/hook/{id}/{kind}", .everybody).expecting(404, 429),
    ]

    private static let button = #"{"title":"Light","action":{"device_id":"hall-light","action":"on"}}"#

    private static let mind: [MatrixOperation] = [
        MatrixOperation(.post, v1 + "/consciousness/query", .holding(.controlDevices), body: #"{"query":"is anything on?"}"#),
        MatrixOperation(.get, v1 + "/consciousness/status", .holding(.controlDevices)),
        MatrixOperation(.get, v1 + "/consciousness/emotions", .holding(.controlDevices)),
        MatrixOperation(.get, v1 + "/memory", .holding(.controlDevices)),
        MatrixOperation(
            .post, v1 + "/memory", .holding(.controlDevices), body: #"{"type":"semantic","content":"The boiler was serviced"}"#),
        MatrixOperation(.get, v1 + "/memory/{id}", .thing(.controlDevices)).onKinds(.memory),
        MatrixOperation(.patch, v1 + "/memory/{id}", .ownMemory, body: #"{"is_pinned":true}"#).onKinds(.memory),
        MatrixOperation(.delete, v1 + "/memory/{id}", .ownMemory).onKinds(.memory),
        MatrixOperation(.get, v1 + "/safla/status", .holding(.controlDevices)),
        MatrixOperation(.post, v1 + "/safla/trigger", .holding(.modifySettings), body: #"{"loop_id":"house"}"#),
        MatrixOperation(.post, v1 + "/interview/start", .holding(.addDevices)),
        MatrixOperation(.get, v1 + "/interview", .holding(.addDevices)),
        MatrixOperation(.get, v1 + "/interview/{id}/status", .ownThing(of: .addDevices)).onKinds(.interview),
        MatrixOperation(.get, v1 + "/interview/{id}/conversation", .ownThing(of: .addDevices)).onKinds(.interview),
        MatrixOperation(.post, v1 + "/interview/{id}/message", .ownThing(of: .addDevices), body: #"{"message":"a lamp"}"#).onKinds(
            .interview),
        MatrixOperation(.post, v1 + "/interview/{id}/confirm", .ownThing(of: .addDevices)).onKinds(.interview),
        MatrixOperation(.post, v1 + "/interview/{id}/pause", .ownThing(of: .addDevices)).onKinds(.interview),
        // None of them is paused.
        MatrixOperation(.post, v1 + "/interview/{id}/resume", .ownThing(of: .addDevices)).onKinds(.interview).expecting(409),
        MatrixOperation(.delete, v1 + "/interview/{id}", .ownThing(of: .addDevices)).onKinds(.interview),
        MatrixOperation(.get, v1 + "/twins", .holding(.controlDevices)),
        MatrixOperation(.post, v1 + "/twins", .holding(.modifySettings), body: #"{"device_id":"hall-light","fidelity_level":"basic"}"#),
        MatrixOperation(.get, v1 + "/twins/{id}", .thing(.controlDevices)).onKinds(.twin),
        MatrixOperation(.delete, v1 + "/twins/{id}", .thing(.modifySettings)).onKinds(.twin),
        MatrixOperation(
            .post, v1 + "/predictions/what-if", .holding(.controlDevices),
            body: #"{"changes":{"device":{"hall-light":{"power":"off"}}},"duration":"8h"}"#),
        MatrixOperation(.get, v1 + "/automations", .holding(.modifySettings)),
        MatrixOperation(.post, v1 + "/automations", .holding(.modifySettings), body: automation),
        MatrixOperation(.get, v1 + "/automations/{id}", .thing(.modifySettings)).onKinds(.automation),
        MatrixOperation(.put, v1 + "/automations/{id}", .thing(.modifySettings), body: automation).onKinds(.automation),
        MatrixOperation(.delete, v1 + "/automations/{id}", .thing(.modifySettings)).onKinds(.automation),
        MatrixOperation(.get, v1 + "/automations/{id}/history", .thing(.modifySettings)).onKinds(.automation),
        MatrixOperation(.post, v1 + "/automations/{id}/dry-run", .thing(.modifySettings), body: #"{"days":1}"#).onKinds(.automation),
        MatrixOperation(.put, v1 + "/people/me/presence", .holding(.controlDevices), body: #"{"is_home":true}"#),
        MatrixOperation(.get, v1 + "/people/me/presence/source", .holding(.controlDevices)),
        // This house knows no person of another system.
        MatrixOperation(.put, v1 + "/people/me/presence/source", .holding(.controlDevices), body: #"{"entity_id":"person.ann"}"#).expecting(
            400),
        MatrixOperation(.delete, v1 + "/people/me/presence/source", .everyPerson()),
    ]
    private static let automation =
        #"{"name":"Out","triggers":[{"type":"presence","change":"last_leaves"}],"actions":[{"type":"control","device_id":"hall-light","action":"off"}]}"#

    private static let tags: [MatrixOperation] = [
        MatrixOperation(.get, v1 + "/buttons", .holding(.controlDevices)).openToPhones(),
        MatrixOperation(.post, v1 + "/buttons", .holding(.modifySettings), body: button),
        MatrixOperation(.get, v1 + "/buttons/{id}", .thing(.controlDevices)).onKinds(.button).openToPhones(),
        MatrixOperation(.put, v1 + "/buttons/{id}", .thing(.modifySettings), body: button).onKinds(.button),
        MatrixOperation(.delete, v1 + "/buttons/{id}", .thing(.modifySettings)).onKinds(.button),
        MatrixOperation(.post, v1 + "/buttons/{id}/press", .thing(.controlDevices)).onKinds(.button).openToPhones(),
        MatrixOperation(.post, v1 + "/buttons/{id}/regenerate", .thing(.modifySettings)).onKinds(.button),
        // Neither of them publishes a message that could be signed.
        MatrixOperation(.post, v1 + "/buttons/{id}/signing-key", .thing(.modifySettings, stepUp: true)).onKinds(.button).expecting(409),
        MatrixOperation(.get, v1 + "/tags", .holding(.controlDevices)),
        MatrixOperation(.post, v1 + "/tags", .thing(.modifySettings)).onKinds(.button).withBody { visitor, thing, visitors in
            #"{"kind":"static","button_id":"\#(visitors.id(.button, thing, for: visitor))"}"#
        },
        MatrixOperation(.post, v1 + "/tags/qr.svg", .everyoneKnown, body: #"{"url":"https://localhost/t/any"}"#),
        MatrixOperation(.get, v1 + "/tags/{id}", .thing(.controlDevices)).onKinds(.tag),
        MatrixOperation(.put, v1 + "/tags/{id}", .thing(.modifySettings), body: "{}").onKinds(.tag),
        MatrixOperation(.post, v1 + "/tags/{id}/promote", .thing(.modifySettings)).onKinds(.tag).withBody { visitor, thing, visitors in
            #"{"url":"https://localhost/t/\#(visitors.id(.tag, thing, for: visitor))"}"#
        },
        // The matrix has no tag that proves its touches.
        MatrixOperation(.post, v1 + "/tags/{id}/keys", .thing(.modifySettings, stepUp: true)).onKinds(.tag).expecting(409),
        MatrixOperation(.post, v1 + "/tags/{id}/keys/promote", .thing(.modifySettings), body: #"{"url":"https://localhost/t/nobodys"}"#)
            .onKinds(.tag).expecting(409),
        MatrixOperation(.delete, v1 + "/tags/{id}", .thing(.modifySettings)).onKinds(.tag),
        MatrixOperation(.get, v1 + "/tags/policy", .holding(.controlDevices)),
        MatrixOperation(.put, v1 + "/tags/policy", .holding(.modifySettings), body: #"{"on":true,"control":"confirmed","open":"never"}"#),
        MatrixOperation(.post, v1 + "/tags/look", .holding(.controlDevices), body: #"{"url":"https://localhost/t/nobodys"}"#)
            .openToPhones(),
        // An unknown tag: a caller who may tap gets a refusal.
        MatrixOperation(.post, v1 + "/tags/tap", .holding(.controlDevices), body: #"{"url":"https://localhost/t/nobodys"}"#).openToPhones(),
    ]

    private static let guests: [MatrixOperation] = [
        MatrixOperation(.get, v1 + "/guests", .holding(.inviteGuests)),
        MatrixOperation(.post, v1 + "/guests", .holding(.inviteGuests, stepUp: true), body: pass),
        MatrixOperation(.post, v1 + "/guests/revoke-all", .holding(.inviteGuests)),
        MatrixOperation(.get, v1 + "/guests/{id}", .thing(.inviteGuests)).onKinds(.pass),
        MatrixOperation(.post, v1 + "/guests/{id}/code", .thing(.inviteGuests, stepUp: true)).onKinds(.pass),
        MatrixOperation(.get, v1 + "/guests/{id}/qr.svg", .thing(.inviteGuests, stepUp: true)).onKinds(.pass),
        // Nothing waits for approval at this one; a caller who may not approve is refused first.
        MatrixOperation(.post, v1 + "/guests/{id}/approve", .thing(.inviteGuests)).onKinds(.pass).expecting(409),
        MatrixOperation(.post, v1 + "/guests/{id}/reject", .thing(.inviteGuests)).onKinds(.pass).expecting(409),
        MatrixOperation(.post, v1 + "/guests/{id}/suspend", .thing(.inviteGuests)).onKinds(.pass),
        MatrixOperation(.post, v1 + "/guests/{id}/resume", .thing(.inviteGuests)).onKinds(.pass),
        MatrixOperation(.post, v1 + "/guests/{id}/revoke", .thing(.inviteGuests)).onKinds(.pass),
        MatrixOperation(.get, v1 + "/asks", .holding(.inviteGuests)),
        MatrixOperation(.get, v1 + "/activity", .holding(.controlDevices)),
        MatrixOperation(.get, v1 + "/audit", .holding(.controlDevices)),
        MatrixOperation(.get, v1 + "/audit/checkpoint", .holding(.managePeople)).openToPhones(),
        MatrixOperation(.get, v1 + "/audit/{id}/proof", .ownEntry).onKinds(.entry),
        MatrixOperation(.post, v1 + "/audit/export", .holding(.managePeople, stepUp: true), body: "{}"),
        MatrixOperation(.get, v1 + "/access/explain", .explaining).onKinds(.person).withQuery { visitor, thing, visitors in
            "?person_id=\(visitors.id(.person, thing, for: visitor))&device_id=front-door&action=unlock"
        },
        MatrixOperation(.post, v1 + "/explain", .explaining).onKinds(.person).withBody { visitor, thing, visitors in
            #"{"person_id":"\#(visitors.id(.person, thing, for: visitor))","device_id":"front-door","action":"unlock"}"#
        },
        MatrixOperation(.post, "/api/guest_access/pair", .everybody, body: "{}").expecting(400),
        MatrixOperation(.post, "/api/guest_access/pair/scanned", .everybody, body: "{}").expecting(400),
        MatrixOperation(.post, "/api/guest_access/restore", .everybody, body: "{}").expecting(400),
        MatrixOperation(.post, "/api/guest_access/token/validate", .validPass)
            .withBody { visitor, _, _ in #"{"guest_token":"\#(visitor.secret)"}"# }.credentialInBody(),
        MatrixOperation(.get, "/api/guest_access/pass", .ownPass),
        MatrixOperation(.get, "/api/guest_access/states", .validPass),
        MatrixOperation(.get, "/api/guest_access/action/nonce", .ownPass),
        MatrixOperation(.post, "/api/guest_access/action", .opening).onKinds(.entity).withBody { visitor, thing, visitors in
            #"{"action":"door.open","entity_id":"\#(visitors.id(.entity, thing, for: visitor))"}"#
        },
        // Theirs or not, a command that does not wait for approval cannot be withdrawn.
        MatrixOperation(.post, "/api/guest_access/action/cancel", .takingBack).onKinds(
            .command, things: [.anothers, .otherHouses, .nowhere]
        )
        .withBody { visitor, thing, visitors in #"{"command_id":"\#(visitors.id(.command, thing, for: visitor))"}"# },
    ]

    private static let notices: [MatrixOperation] = [
        MatrixOperation(.get, v1 + "/notices", .everyPerson()).openToPhones(),
        MatrixOperation(.post, v1 + "/notices/{id}/acknowledge", .ownThing()).onKinds(.notice).openToPhones(),
        MatrixOperation(.post, v1 + "/notices/acknowledge", .everyPerson()).openToPhones(),
        MatrixOperation(.get, v1 + "/people/{id}/notifications", .managing(ownIsTheirs: true, stepUp: false))
            .onKinds(.person, things: ResourceOwnership.people),
        MatrixOperation(.put, v1 + "/people/{id}/notifications", .managing(ownIsTheirs: true, stepUp: false), body: #"{"kinds":["ring"]}"#)
            .onKinds(.person, things: ResourceOwnership.people),
        MatrixOperation(.get, v1 + "/push", .everyPerson()),
        // An invalid subscription is refused for every caller.
        MatrixOperation(
            .post, v1 + "/push/web", .holding(.controlDevices), body: #"{"subscription":{"endpoint":"","keys":{"p256dh":"","auth":""}}}"#
        )
        .expecting(400),
        MatrixOperation(.delete, v1 + "/push/{id}", .ownThing()).onKinds(.push),
        MatrixOperation(.post, mobile + "/push/register", .holding(.controlDevices), body: #"{"device_token":"","device_id":""}"#)
            .expecting(400)
            .openToPhones(),
        MatrixOperation(.delete, mobile + "/push/unregister", .everyPerson()).expecting(404).openToPhones(),
    ]

    private static let phones: [MatrixOperation] = [
        MatrixOperation(.post, mobile + "/auth/pair", .everybody, body: "{}").expecting(400),
        MatrixOperation(.post, mobile + "/auth/verify", .everybody, body: "{}").expecting(400),
        MatrixOperation(.post, mobile + "/auth/refresh", .everybody, body: "{}").expecting(400),
        MatrixOperation(.get, mobile + "/auth/status", .waitingPhone).openToPhones(),
        MatrixOperation(.get, mobile + "/auth/pending", .holding(.controlDevices)),
        MatrixOperation(.post, mobile + "/auth/confirm", .holding(.controlDevices, stepUp: true), body: #"{"code":"000000"}"#).expecting(
            404),
        MatrixOperation(.delete, mobile + "/auth/pending/{id}", .holding(.controlDevices)).expecting(404),
        MatrixOperation(.post, mobile + "/auth/revoke", .everyPerson(), body: #"{"revoke_all":true}"#).openToPhones(),
        MatrixOperation(.get, mobile + "/auth/invitation", .everyoneKnown),
        MatrixOperation(.get, mobile + "/auth/invitation/qr.svg", .everyoneKnown),
        MatrixOperation(.get, mobile + "/devices", .everyPerson()),
        MatrixOperation(.patch, mobile + "/devices/{id}", .ownThing(), body: #"{"device_name":"Old phone"}"#).onKinds(.phone),
        MatrixOperation(.delete, mobile + "/devices/{id}", .ownThing()).onKinds(.phone),
    ]

    /// Realtime over plain HTTP, pages, and operation of the hub. A stream would not end: only its head is requested.
    private static let operations: [MatrixOperation] =
        [
            MatrixOperation(.get, v1 + "/realtime", .everybody).expecting(426),
            MatrixOperation(.post, v1 + "/realtime/ticket", .ticket).openToPhones(),
            MatrixOperation(.head, v1 + "/realtime/events", .listening).openToPhones(),
            MatrixOperation(.get, v1 + "/changes", .listening).openToPhones(),
            MatrixOperation(.get, "/healthz", .everybody), MatrixOperation(.get, "/readyz", .everybody),
            MatrixOperation(.get, "/metrics", .everybody),
            MatrixOperation(.get, "/openapi.json", .everybody), MatrixOperation(.get, "/asyncapi.json", .everybody),
        ]
        + [
            "/", "/g", "/doors", "/rooms/{id}", "/devices/{id}", "/guests", "/guests/new", "/guests/{id}", "/activity", "/activity/{id}",
            "/cameras", "/cameras/{id}", "/cameras/{id}/change", "/notices", "/people", "/people/{id}", "/settings", "/settings/{page}",
            "/claim",
            "/sign-in", "/join", "/pair", "/more", "/contract", "/policy", "/buttons", "/buttons/new", "/buttons/{id}", "/tags",
            "/tags/{id}", "/t",
            "/t/{id}", "/house", "/house/mood", "/house/memory", "/house/twins", "/house/twins/{id}", "/house/what-if", "/house/interview",
            "/house/interview/{id}", "/privacy", "/privacy/audit", "/privacy/retention", "/privacy/backups", "/privacy/energy",
            "/privacy/maintenance",
        ].map { MatrixOperation(.get, $0, .everybody) }

    /// Files that are the same for every caller: the pages' own.
    static func isFile(_ path: String) -> Bool {
        path.hasPrefix("/assets/")
            || ["/manifest.webmanifest", "/guest.webmanifest", "/sw.js", "/robots.txt", "/favicon.ico"].contains(path)
    }
}
