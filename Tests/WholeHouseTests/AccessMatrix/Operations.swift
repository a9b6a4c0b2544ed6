import CardeaAPI
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import HTTPTypes

/// One operation of the house, and who may ask it.
struct Operation: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let rule: Rule
    var things: [Thing] = [.none]
    /// What stands for the ids in the path, in order.
    var kinds: [Visitors.Kind] = []
    /// The body, where it is not the same for everybody.
    var body: @Sendable (Visitor, Thing, Visitors) -> String? = { _, _, _ in nil }
    var query: @Sendable (Visitor, Thing, Visitors) -> String = { _, _, _ in "" }
    /// What it answers to whoever is let through.
    var done: Set<Int> = [200, 201, 204]
    /// The word beside it, where let through is still not yet successful.
    var doneCode: String?
    /// Whether what is shown stands in the body, and nowhere else.
    var showsInBody = false
    /// Whether a phone may ask, for the person it acts for.
    var isOpenToPhones = false

    /// What is to become of it. A phone is told no wherever its person would be known and phones are not meant.
    func judge(_ visitor: Visitor, _ thing: Thing) -> Verdict {
        let verdict = rule.judge(visitor, thing)
        let nobody = Visitor(name: "nobody", standing: .stranger, credential: .none)
        guard visitor.isPhone, !isOpenToPhones, verdict != .notSignedIn, rule.judge(nobody, thing) == .notSignedIn else { return verdict }
        return .forbidden
    }

    var name: String { "\(method) \(path)" }

    init(_ method: HTTPRequest.Method, _ path: String, _ rule: Rule, body: String? = nil) {
        self.method = method
        self.path = path
        self.rule = rule
        if let body { self.body = { _, _, _ in body } }
    }

    /// The same, about things of a kind.
    func about(_ kinds: Visitors.Kind..., things: [Thing] = Thing.named) -> Operation {
        var operation = self
        operation.kinds = kinds
        operation.things = things
        return operation
    }

    func saying(_ body: @escaping @Sendable (Visitor, Thing, Visitors) -> String?) -> Operation {
        var operation = self
        operation.body = body
        return operation
    }

    func asking(_ query: @escaping @Sendable (Visitor, Thing, Visitors) -> String) -> Operation {
        var operation = self
        operation.query = query
        return operation
    }

    func answers(_ done: Int..., code: String? = nil) -> Operation {
        var operation = self
        operation.done = Set(done)
        operation.doneCode = code
        return operation
    }

    func forPhones() -> Operation {
        var operation = self
        operation.isOpenToPhones = true
        return operation
    }

    func inBody() -> Operation {
        var operation = self
        operation.showsInBody = true
        return operation
    }
}

/// The policy of every operation. A route that is not here fails the test.
enum Policy {
    private static let v1 = "/api/v1"
    private static let mobile = v1 + "/mobile"
    private static let unlock = #"{"action":"unlock"}"#
    private static let room = #"{"name":"Den"}"#
    private static let scene = #"{"name":"Evening","actions":[{"device_id":"hall-light","action":"off"}]}"#
    private static let pass =
        #"{"name":"Plumber","grants":[{"device_id":"front-door","actions":["door.open"]}],"expires_at":"2027-01-01T00:00:00Z","max_uses":1}"#
    private static let person = #"{"name":"Ben","role":"member"}"#

    static let rows: [Operation] =
        coming + oneself + people + privacy + devices + events + cameras + tags + mind + notices + guests + phones + running

    /// Coming in, and going out.
    private static let coming: [Operation] = [
        Operation(.get, v1 + "/claim", .everybody),
        // What comes before anybody is known asks for its body, and for nothing else.
        Operation(.post, v1 + "/claim", .everybody, body: "{}").answers(400),
        Operation(.post, v1 + "/auth/login", .everybody, body: "{}").answers(400),
        Operation(.post, v1 + "/auth/recovery", .everybody, body: "{}").answers(400),
        Operation(.post, v1 + "/people/accept", .everybody, body: "{}").answers(400),
        Operation(.post, v1 + "/auth/passkeys/login/options", .everybody, body: "{}"),
        Operation(.post, v1 + "/auth/passkeys/login/verify", .everybody, body: "{}").answers(400),
        Operation(.post, v1 + "/auth/refresh", .renewing).saying { visitor, _, _ in #"{"refresh_token":"\#(visitor.secret)"}"# }.inBody(),
        Operation(.post, v1 + "/auth/logout", .signingOut),
    ]

    /// What is somebody's own.
    private static let oneself: [Operation] = [
        Operation(.get, v1 + "/people/me", .everyPerson()).forPhones(),
        Operation(.put, v1 + "/people/me/password", .everyPerson())
            .saying { _, _, _ in #"{"current_password":"\#(TestHouse.password.reveal())","new_password":"a new one at last"}"# },
        Operation(.get, v1 + "/people/me/preferences", .everyPerson()).forPhones(),
        Operation(.put, v1 + "/people/me/preferences", .everyPerson(), body: #"{"temperature_unit":"fahrenheit"}"#),
        Operation(.get, v1 + "/auth/sessions", .everyPerson()),
        Operation(.post, v1 + "/auth/sessions/revoke-all", .everyPerson(stepUp: true)),
        Operation(.delete, v1 + "/auth/sessions/{id}", Rule.ownSession).about(.session),
        Operation(.post, v1 + "/auth/step-up", .everyPerson())
            .saying { _, _, _ in #"{"password":"\#(TestHouse.password.reveal())"}"# },
        Operation(.get, v1 + "/auth/passkeys", .everyPerson()),
        Operation(.post, v1 + "/auth/passkeys/register/options", .everyPerson(stepUp: true), body: "{}"),
        Operation(
            .post, v1 + "/auth/passkeys/register/verify", .everyPerson(),
            body:
                #"{"credential":{"id":"AA","rawId":"AA","type":"public-key","response":{"clientDataJSON":"AA","attestationObject":"AA"}}}"#
        ).answers(401, code: "passkey_refused"),
        Operation(.patch, v1 + "/auth/passkeys/{id}", .ownThing(), body: #"{"name":"Old phone"}"#).about(.passkey),
        Operation(.delete, v1 + "/auth/passkeys/{id}", .ownThing(stepUp: true)).about(.passkey),
        Operation(.get, v1 + "/auth/recovery-codes", .everyPerson()),
        Operation(.post, v1 + "/auth/recovery-codes", .everyPerson(stepUp: true)),
        Operation(.get, v1 + "/auth/api-tokens", .everyPerson()),
        Operation(.post, v1 + "/auth/api-tokens", .holding(.controlDevices, stepUp: true), body: #"{"name":"Script"}"#),
        Operation(.delete, v1 + "/auth/api-tokens/{id}", .ownThing()).about(.token),
    ]

    private static let privacy: [Operation] = [
        Operation(.get, v1 + "/privacy", .everyPerson()),
        Operation(.get, v1 + "/retention", .holding(.controlDevices)),
        Operation(.get, v1 + "/backups", .holding(.modifySettings)),
        Operation(.put, v1 + "/retention", .ownersAlone, body: #"{"days":{"notices":20}}"#),
        // This house keeps no files.
        Operation(.post, v1 + "/people/{id}/export", .leaving).about(.person, things: Thing.people).answers(409),
        Operation(.post, v1 + "/guests/{id}/export", .sendingAway).about(.pass).answers(409),
        // The last owner stays.
        Operation(.post, v1 + "/people/{id}/erase", .leaving).about(.person, things: Thing.people).answers(202, 409),
        Operation(.post, v1 + "/guests/{id}/erase", .sendingAway).about(.pass).answers(202),
        Operation(.get, v1 + "/jobs", .everyPerson()),
        Operation(.get, v1 + "/jobs/{id}", .ownJob).about(.job),
        // It is at its end.
        Operation(.delete, v1 + "/jobs/{id}", .ownJob).about(.job).answers(409),
        // It has lain there for its day.
        Operation(.get, v1 + "/jobs/{id}/archive", .ownArchive).about(.job).answers(404),
        // What it answers is the same for everybody, whatever their client owes.
        Operation(.post, v1 + "/erasures", .everyPerson(), body: #"{"confirmed":["person_nobody"]}"#).forPhones(),
        Operation(.get, v1 + "/maintenance", .holding(.controlDevices)),
        Operation(.post, v1 + "/maintenance", .holding(.manageMaintenance), body: #"{"title":"Change the filter"}"#),
        Operation(.get, v1 + "/maintenance/{id}", .thing(.controlDevices)).about(.task),
        Operation(.patch, v1 + "/maintenance/{id}", .thing(.manageMaintenance), body: #"{"priority":"high"}"#).about(.task),
        Operation(.delete, v1 + "/maintenance/{id}", .thing(.manageMaintenance)).about(.task),
        Operation(.post, v1 + "/maintenance/{id}/complete", .thing(.manageMaintenance), body: "{}").about(.task),
        Operation(.get, v1 + "/maintenance/{id}/history", .thing(.controlDevices)).about(.task),
    ]

    private static let people: [Operation] = [
        Operation(.get, v1 + "/people", .holding(.controlDevices)),
        Operation(.post, v1 + "/people", .addingPeople, body: person),
        Operation(.patch, v1 + "/people/{id}", .managing(ownIsTheirs: true, stepUp: false), body: #"{"name":"Anew"}"#)
            .about(.person, things: Thing.people),
        Operation(.patch, v1 + "/people/{id}", .managing(ownIsTheirs: false, stepUp: true), body: #"{"can_invite_guests":true}"#)
            .about(.person, things: Thing.people),
        Operation(.delete, v1 + "/people/{id}", .managing(ownIsTheirs: false, stepUp: true)).about(.person, things: Thing.people)
            .answers(204, 409),
        Operation(.post, v1 + "/people/{id}/invite", .managing(ownIsTheirs: false, stepUp: true)).about(.person, things: Thing.people)
            .answers(201, 409),
        Operation(.get, v1 + "/people/{id}/sessions", .managing(ownIsTheirs: true, stepUp: false)).about(.person, things: Thing.people),
        Operation(.delete, v1 + "/people/{id}/sessions", .managing(ownIsTheirs: true, stepUp: true)).about(.person, things: Thing.people),
        Operation(.delete, v1 + "/people/{id}/sessions/{session_id}", .managing(ownIsTheirs: true, stepUp: false))
            .about(.person, .session, things: Thing.people + [.crossed]),
        Operation(.get, v1 + "/people/{id}/access-changes", .managing(ownIsTheirs: true, stepUp: false)).about(
            .person, things: Thing.people),
        Operation(.put, v1 + "/access-changes/{thing}/{id}", .thing(.modifySettings), body: #"{"is_on":false}"#).about(.sceneWord, .scene),
    ]

    private static let devices: [Operation] = [
        Operation(.get, v1 + "/house", .everyoneKnown).forPhones(),
        Operation(.get, v1 + "/house/certificate", .everyoneKnown).answers(404).forPhones(),
        Operation(.put, v1 + "/house", .holding(.modifySettings), body: #"{"number_of_floors":2}"#),
        Operation(.get, v1 + "/devices", .seeingDevices).forPhones(),
        Operation(.get, v1 + "/devices/{id}", .seeingDevices).about(.device).forPhones(),
        Operation(.patch, v1 + "/devices/{id}", .thing(.modifySettings), body: #"{"name":"Gate"}"#).about(.device),
        Operation(.delete, v1 + "/devices/{id}", .thing(.addDevices)).about(.device),
        Operation(.put, v1 + "/devices/{id}/entities/{entity_id}/way-in", .thing(.modifySettings)).about(.device, .device).answers(400),
        Operation(.delete, v1 + "/devices/{id}/entities/{entity_id}/way-in", .thing(.modifySettings)).about(.device, .device)
            .answers(400),
        Operation(.get, v1 + "/devices/{id}/ways-in", .thing(.modifySettings)).about(.device),
        Operation(.post, v1 + "/devices/{id}/ways-in/same-door", .thing(.modifySettings), body: "{}").about(.device),
        Operation(.post, v1 + "/devices/{id}/ways-in/none", .thing(.modifySettings), body: "{}").about(.device),
        // Those of a house in memory are fixed, and none has such a part.
        Operation(.post, v1 + "/devices/{id}/merge", .thing(.modifySettings, stepUp: true), body: #"{"with":"hall-light"}"#).about(.device)
            .answers(409),
        Operation(
            .post, v1 + "/devices/{id}/replace", .thing(.modifySettings, stepUp: true), body: #"{"entity_id":"lock.x","replaces":"lock.y"}"#
        ).about(.device).answers(400),
        Operation(.get, v1 + "/devices/{id}/replaceable", .thing(.modifySettings)).about(.device),
        Operation(.put, v1 + "/devices/{id}/control", .movingDoors(), body: unlock).about(.device).forPhones(),
        Operation(.post, v1 + "/devices/batch-control", .movingDoors(inside: true)).about(.device).forPhones().saying {
            visitor, thing, visitors in
            #"{"devices":[{"device_id":"\#(visitors.id(.device, thing, for: visitor))","action":"unlock"}]}"#
        },
        // None of them shows a picture.
        Operation(.get, v1 + "/devices/{id}/entities/{entity_id}/picture", .thing(.controlDevices)).about(.device, .entity).answers(404)
            .forPhones(),
        Operation(.get, v1 + "/devices/{id}/history", .thing(.controlDevices)).about(.sensor).forPhones(),
        Operation(.get, v1 + "/energy", .holding(.viewEnergy)).forPhones(),
        Operation(.get, v1 + "/environment", .holding(.viewEnergy)).forPhones(),
        Operation(.get, v1 + "/commands/{id}", .ownCommand).about(.command).forPhones(),
        Operation(.post, v1 + "/commands/{id}/approve", .thing(.inviteGuests)).about(.ask),
        Operation(.post, v1 + "/commands/{id}/reject", .thing(.inviteGuests)).about(.ask),
        Operation(.get, v1 + "/scenes", .holding(.controlDevices)).forPhones(),
        Operation(.post, v1 + "/scenes", .holding(.modifySettings), body: scene),
        Operation(.get, v1 + "/scenes/{id}", .thing(.controlDevices)).about(.scene).forPhones(),
        Operation(.put, v1 + "/scenes/{id}", .thing(.modifySettings), body: scene).about(.scene),
        Operation(.delete, v1 + "/scenes/{id}", .thing(.modifySettings)).about(.scene),
        Operation(.post, v1 + "/scenes/{id}/run", .thing(.controlDevices)).about(.scene).forPhones(),
        Operation(.get, v1 + "/rooms", .holding(.controlDevices)).forPhones(),
        Operation(.post, v1 + "/rooms", .holding(.modifySettings), body: room),
        Operation(.get, v1 + "/rooms/{id}", .thing(.controlDevices)).about(.room).forPhones(),
        Operation(.put, v1 + "/rooms/{id}", .thing(.modifySettings), body: room).about(.room),
        Operation(.delete, v1 + "/rooms/{id}", .thing(.modifySettings)).about(.room),
        Operation(.get, v1 + "/integrations", .holding(.modifySettings)),
        Operation(.get, v1 + "/integrations/nearby", .holding(.modifySettings)),
        Operation(.get, v1 + "/integrations/mqtt", .holding(.modifySettings)),
        // Nothing was announced in this house, and its integration checks nothing.
        Operation(.get, v1 + "/integrations/mqtt/announcement", .holding(.modifySettings)).asking { _, _, _ in "?topic=x" }.answers(404),
        Operation(.post, v1 + "/integrations/mqtt/check-announcement", .holding(.modifySettings), body: #"{"announcement":"{}"}"#)
            .answers(404),
        Operation(.put, v1 + "/integrations/mqtt", .holding(.modifySettings, stepUp: true), body: #"{"host":"localhost","port":1883}"#),
        Operation(.delete, v1 + "/integrations/mqtt", .holding(.modifySettings)),
        Operation(.post, v1 + "/integrations/mqtt/test", .holding(.modifySettings)),
        Operation(.put, v1 + "/integrations/endpoint", .holding(.modifySettings, stepUp: true), body: #"{"host":"localhost"}"#),
        Operation(.delete, v1 + "/integrations/endpoint", .holding(.modifySettings)),
        Operation(.post, v1 + "/integrations/endpoint/test", .holding(.modifySettings)),
        Operation(
            .put, v1 + "/integrations/home-assistant", .holding(.modifySettings, stepUp: true),
            body: #"{"url":"http://localhost:8123","token":"t"}"#),
        Operation(.delete, v1 + "/integrations/home-assistant", .holding(.modifySettings)),
        Operation(.post, v1 + "/integrations/home-assistant/test", .holding(.modifySettings)),
        Operation(
            .post, v1 + "/integrations/virtual/faults", .holding(.modifySettings), body: #"{"device_id":"front-door","fault":"none"}"#),
    ]

    private static let opening =
        #"{"name":"Out","triggers":[{"type":"refused"}],"actions":[{"type":"control","device_id":"front-door","action":"unlock"}]}"#

    /// What the same routes are asked in other words, where those let somebody else open more than before.
    static let openings: [Operation] = [
        Operation(.patch, v1 + "/devices/{id}", .thing(.modifySettings, stepUp: true), body: #"{"is_security_device":false}"#)
            .about(.device, things: [.anothers]),
        Operation(.patch, v1 + "/devices/{id}", .thing(.modifySettings, stepUp: true), body: #"{"is_guest_accessible":true}"#)
            .about(.device, things: [.anothers]),
        Operation(.post, v1 + "/automations", .holding(.modifySettings, stepUp: true), body: opening),
        Operation(.put, v1 + "/automations/{id}", .thing(.modifySettings, stepUp: true), body: opening).about(.automation, things: [.own]),
    ]

    private static let seen = #"{"source":"bell","type":"person","occurred_at":"\#(Timestamp.text(ManualClock().now))"}"#

    private static let events: [Operation] = [
        Operation(.get, v1 + "/mobile/events", .holding(.controlDevices)).forPhones(),
        Operation(.get, v1 + "/mobile/events/recent", .holding(.controlDevices)).forPhones(),
        Operation(.get, v1 + "/mobile/events/{id}", .thing(.controlDevices)).about(.event).forPhones(),
        // None of them has a picture.
        Operation(.get, v1 + "/mobile/events/{id}/thumbnail", .thing(.controlDevices)).about(.event).answers(404).forPhones(),
        Operation(.get, v1 + "/events/{id}/picture", .thing(.controlDevices)).about(.event).answers(404).forPhones(),
        // The program's token was not made for it.
        Operation(.post, v1 + "/events", .holding(.modifySettings), body: seen),
        Operation(.delete, v1 + "/events/{id}", .thing(.modifySettings)).about(.event),
        Operation(.get, v1 + "/incidents", .holding(.controlDevices)).forPhones(),
    ]

    private static let camera = #"{"name":"Porch","source":{"kind":"rtsp","url":"rtsp://192.168.1.20/s"}}"#

    private static let cameras: [Operation] = [
        Operation(.get, v1 + "/cameras", .holding(.controlDevices)).forPhones(),
        Operation(.post, v1 + "/cameras", .holding(.modifySettings, stepUp: true), body: camera),
        Operation(.get, v1 + "/cameras/{id}", .thing(.controlDevices)).about(.camera).forPhones(),
        Operation(.patch, v1 + "/cameras/{id}", .thing(.modifySettings), body: #"{"name":"Yard"}"#).about(.camera),
        Operation(.delete, v1 + "/cameras/{id}", .thing(.modifySettings)).about(.camera),
        Operation(.get, v1 + "/cameras/{id}/snapshot", .thing(.controlDevices)).about(.camera).forPhones(),
        Operation(.get, v1 + "/cameras/{id}/preview", .thing(.controlDevices)).about(.camera).forPhones(),
        Operation(.get, v1 + "/mobile/cameras", .holding(.controlDevices)).forPhones(),
        Operation(.get, v1 + "/mobile/cameras/{id}/snapshot", .thing(.controlDevices)).about(.camera).forPhones(),
        Operation(.get, v1 + "/webhooks", .holding(.modifySettings)),
        Operation(.post, v1 + "/webhooks", .holding(.modifySettings, stepUp: true), body: #"{"name":"Bell","make":"shelly"}"#),
        Operation(.delete, v1 + "/webhooks/{id}", .thing(.modifySettings)).about(.webhook),
        // Nobody's token is asked for: the secret in the path is none, and too many of those are slowed down.
        Operation(.get, "/hook/{id}", .everybody).answers(404, 429), Operation(.get, "/hook/{id}/{kind}", .everybody).answers(404, 429),
        Operation(.post, "/hook/{id}", .everybody).answers(404, 429), Operation(.post, "/hook/{id}/{kind}", .everybody).answers(404, 429),
        Operation(.put, "/hook/{id}", .everybody).answers(404, 429), Operation(.put, "/hook/{id}/{kind}", .everybody).answers(404, 429),
    ]

    private static let button = #"{"title":"Light","action":{"device_id":"hall-light","action":"on"}}"#

    private static let mind: [Operation] = [
        Operation(.post, v1 + "/consciousness/query", .holding(.controlDevices), body: #"{"query":"is anything on?"}"#),
        Operation(.get, v1 + "/consciousness/status", .holding(.controlDevices)),
        Operation(.get, v1 + "/consciousness/emotions", .holding(.controlDevices)),
        Operation(.get, v1 + "/memory", .holding(.controlDevices)),
        Operation(.post, v1 + "/memory", .holding(.controlDevices), body: #"{"type":"semantic","content":"The boiler was serviced"}"#),
        Operation(.get, v1 + "/memory/{id}", .thing(.controlDevices)).about(.memory),
        Operation(.patch, v1 + "/memory/{id}", .ownMemory, body: #"{"is_pinned":true}"#).about(.memory),
        Operation(.delete, v1 + "/memory/{id}", .ownMemory).about(.memory),
        Operation(.get, v1 + "/safla/status", .holding(.controlDevices)),
        Operation(.post, v1 + "/safla/trigger", .holding(.modifySettings), body: #"{"loop_id":"house"}"#),
        Operation(.post, v1 + "/interview/start", .holding(.addDevices)),
        Operation(.get, v1 + "/interview", .holding(.addDevices)),
        Operation(.get, v1 + "/interview/{id}/status", .ownThing(of: .addDevices)).about(.interview),
        Operation(.get, v1 + "/interview/{id}/conversation", .ownThing(of: .addDevices)).about(.interview),
        Operation(.post, v1 + "/interview/{id}/message", .ownThing(of: .addDevices), body: #"{"message":"a lamp"}"#).about(.interview),
        Operation(.post, v1 + "/interview/{id}/confirm", .ownThing(of: .addDevices)).about(.interview),
        Operation(.post, v1 + "/interview/{id}/pause", .ownThing(of: .addDevices)).about(.interview),
        // None of them is paused.
        Operation(.post, v1 + "/interview/{id}/resume", .ownThing(of: .addDevices)).about(.interview).answers(409),
        Operation(.delete, v1 + "/interview/{id}", .ownThing(of: .addDevices)).about(.interview),
        Operation(.get, v1 + "/twins", .holding(.controlDevices)),
        Operation(.post, v1 + "/twins", .holding(.modifySettings), body: #"{"device_id":"hall-light","fidelity_level":"basic"}"#),
        Operation(.get, v1 + "/twins/{id}", .thing(.controlDevices)).about(.twin),
        Operation(.delete, v1 + "/twins/{id}", .thing(.modifySettings)).about(.twin),
        Operation(
            .post, v1 + "/predictions/what-if", .holding(.controlDevices),
            body: #"{"changes":{"device":{"hall-light":{"power":"off"}}},"duration":"8h"}"#),
        Operation(.get, v1 + "/automations", .holding(.modifySettings)),
        Operation(.post, v1 + "/automations", .holding(.modifySettings), body: automation),
        Operation(.get, v1 + "/automations/{id}", .thing(.modifySettings)).about(.automation),
        Operation(.put, v1 + "/automations/{id}", .thing(.modifySettings), body: automation).about(.automation),
        Operation(.delete, v1 + "/automations/{id}", .thing(.modifySettings)).about(.automation),
        Operation(.get, v1 + "/automations/{id}/history", .thing(.modifySettings)).about(.automation),
        Operation(.post, v1 + "/automations/{id}/dry-run", .thing(.modifySettings), body: #"{"days":1}"#).about(.automation),
        Operation(.put, v1 + "/people/me/presence", .holding(.controlDevices), body: #"{"is_home":true}"#),
        Operation(.get, v1 + "/people/me/presence/source", .holding(.controlDevices)),
        // This house knows no person elsewhere.
        Operation(.put, v1 + "/people/me/presence/source", .holding(.controlDevices), body: #"{"entity_id":"person.ann"}"#).answers(400),
        Operation(.delete, v1 + "/people/me/presence/source", .everyPerson()),
    ]
    private static let automation =
        #"{"name":"Out","triggers":[{"type":"presence","change":"last_leaves"}],"actions":[{"type":"control","device_id":"hall-light","action":"off"}]}"#

    private static let tags: [Operation] = [
        Operation(.get, v1 + "/buttons", .holding(.controlDevices)).forPhones(),
        Operation(.post, v1 + "/buttons", .holding(.modifySettings), body: button),
        Operation(.get, v1 + "/buttons/{id}", .thing(.controlDevices)).about(.button).forPhones(),
        Operation(.put, v1 + "/buttons/{id}", .thing(.modifySettings), body: button).about(.button),
        Operation(.delete, v1 + "/buttons/{id}", .thing(.modifySettings)).about(.button),
        Operation(.post, v1 + "/buttons/{id}/press", .thing(.controlDevices)).about(.button).forPhones(),
        Operation(.post, v1 + "/buttons/{id}/regenerate", .thing(.modifySettings)).about(.button),
        // Neither of them publishes anything that could be signed.
        Operation(.post, v1 + "/buttons/{id}/signing-key", .thing(.modifySettings, stepUp: true)).about(.button).answers(409),
        Operation(.get, v1 + "/tags", .holding(.controlDevices)),
        Operation(.post, v1 + "/tags", .thing(.modifySettings)).about(.button).saying { visitor, thing, visitors in
            #"{"kind":"static","button_id":"\#(visitors.id(.button, thing, for: visitor))"}"#
        },
        Operation(.post, v1 + "/tags/qr.svg", .everyoneKnown, body: #"{"url":"https://localhost/t/any"}"#),
        Operation(.get, v1 + "/tags/{id}", .thing(.controlDevices)).about(.tag),
        Operation(.put, v1 + "/tags/{id}", .thing(.modifySettings), body: "{}").about(.tag),
        Operation(.post, v1 + "/tags/{id}/promote", .thing(.modifySettings)).about(.tag).saying { visitor, thing, visitors in
            #"{"url":"https://localhost/t/\#(visitors.id(.tag, thing, for: visitor))"}"#
        },
        // The matrix has none that proves its touches.
        Operation(.post, v1 + "/tags/{id}/keys", .thing(.modifySettings, stepUp: true)).about(.tag).answers(409),
        Operation(.post, v1 + "/tags/{id}/keys/promote", .thing(.modifySettings), body: #"{"url":"https://localhost/t/nobodys"}"#)
            .about(.tag).answers(409),
        Operation(.delete, v1 + "/tags/{id}", .thing(.modifySettings)).about(.tag),
        Operation(.get, v1 + "/tags/policy", .holding(.controlDevices)),
        Operation(.put, v1 + "/tags/policy", .holding(.modifySettings), body: #"{"on":true,"control":"confirmed","open":"never"}"#),
        Operation(.post, v1 + "/tags/look", .holding(.controlDevices), body: #"{"url":"https://localhost/t/nobodys"}"#).forPhones(),
        // A tag that nobody has: whoever may tap hears that nothing came of it.
        Operation(.post, v1 + "/tags/tap", .holding(.controlDevices), body: #"{"url":"https://localhost/t/nobodys"}"#).forPhones(),
    ]

    private static let guests: [Operation] = [
        Operation(.get, v1 + "/guests", .holding(.inviteGuests)),
        Operation(.post, v1 + "/guests", .holding(.inviteGuests, stepUp: true), body: pass),
        Operation(.post, v1 + "/guests/revoke-all", .holding(.inviteGuests)),
        Operation(.get, v1 + "/guests/{id}", .thing(.inviteGuests)).about(.pass),
        Operation(.post, v1 + "/guests/{id}/code", .thing(.inviteGuests, stepUp: true)).about(.pass),
        Operation(.get, v1 + "/guests/{id}/qr.svg", .thing(.inviteGuests, stepUp: true)).about(.pass),
        // Nothing waits for a yes at this one; who may not answer is told that first.
        Operation(.post, v1 + "/guests/{id}/approve", .thing(.inviteGuests)).about(.pass).answers(409),
        Operation(.post, v1 + "/guests/{id}/reject", .thing(.inviteGuests)).about(.pass).answers(409),
        Operation(.post, v1 + "/guests/{id}/suspend", .thing(.inviteGuests)).about(.pass),
        Operation(.post, v1 + "/guests/{id}/resume", .thing(.inviteGuests)).about(.pass),
        Operation(.post, v1 + "/guests/{id}/revoke", .thing(.inviteGuests)).about(.pass),
        Operation(.get, v1 + "/asks", .holding(.inviteGuests)),
        Operation(.get, v1 + "/activity", .holding(.controlDevices)),
        Operation(.get, v1 + "/audit", .holding(.controlDevices)),
        Operation(.get, v1 + "/audit/checkpoint", .holding(.managePeople)).forPhones(),
        Operation(.get, v1 + "/audit/{id}/proof", .ownEntry).about(.entry),
        Operation(.post, v1 + "/audit/export", .holding(.managePeople, stepUp: true), body: "{}"),
        Operation(.get, v1 + "/access/explain", .explaining).about(.person).asking { visitor, thing, visitors in
            "?person_id=\(visitors.id(.person, thing, for: visitor))&device_id=front-door&action=unlock"
        },
        Operation(.post, v1 + "/explain", .explaining).about(.person).saying { visitor, thing, visitors in
            #"{"person_id":"\#(visitors.id(.person, thing, for: visitor))","device_id":"front-door","action":"unlock"}"#
        },
        Operation(.post, "/api/guest_access/pair", .everybody, body: "{}").answers(400),
        Operation(.post, "/api/guest_access/pair/scanned", .everybody, body: "{}").answers(400),
        Operation(.post, "/api/guest_access/restore", .everybody, body: "{}").answers(400),
        Operation(.post, "/api/guest_access/token/validate", .validPass)
            .saying { visitor, _, _ in #"{"guest_token":"\#(visitor.secret)"}"# }.inBody(),
        Operation(.get, "/api/guest_access/pass", .ownPass),
        Operation(.get, "/api/guest_access/states", .validPass),
        Operation(.get, "/api/guest_access/action/nonce", .ownPass),
        Operation(.post, "/api/guest_access/action", .opening).about(.entity).saying { visitor, thing, visitors in
            #"{"action":"door.open","entity_id":"\#(visitors.id(.entity, thing, for: visitor))"}"#
        },
        // Theirs or not, what does not wait for a yes cannot be taken back.
        Operation(.post, "/api/guest_access/action/cancel", .takingBack).about(.command, things: [.anothers, .otherHouses, .nowhere])
            .saying { visitor, thing, visitors in #"{"command_id":"\#(visitors.id(.command, thing, for: visitor))"}"# },
    ]

    private static let notices: [Operation] = [
        Operation(.get, v1 + "/notices", .everyPerson()).forPhones(),
        Operation(.post, v1 + "/notices/{id}/acknowledge", .ownThing()).about(.notice).forPhones(),
        Operation(.post, v1 + "/notices/acknowledge", .everyPerson()).forPhones(),
        Operation(.get, v1 + "/people/{id}/notifications", .managing(ownIsTheirs: true, stepUp: false))
            .about(.person, things: Thing.people),
        Operation(.put, v1 + "/people/{id}/notifications", .managing(ownIsTheirs: true, stepUp: false), body: #"{"kinds":["ring"]}"#)
            .about(.person, things: Thing.people),
        Operation(.get, v1 + "/push", .everyPerson()),
        // What is no subscription is refused, whoever hands it in.
        Operation(
            .post, v1 + "/push/web", .holding(.controlDevices), body: #"{"subscription":{"endpoint":"","keys":{"p256dh":"","auth":""}}}"#
        )
        .answers(400),
        Operation(.delete, v1 + "/push/{id}", .ownThing()).about(.push),
        Operation(.post, mobile + "/push/register", .holding(.controlDevices), body: #"{"device_token":"","device_id":""}"#).answers(400)
            .forPhones(),
        Operation(.delete, mobile + "/push/unregister", .everyPerson()).answers(404).forPhones(),
    ]

    private static let phones: [Operation] = [
        Operation(.post, mobile + "/auth/pair", .everybody, body: "{}").answers(400),
        Operation(.post, mobile + "/auth/verify", .everybody, body: "{}").answers(400),
        Operation(.post, mobile + "/auth/refresh", .everybody, body: "{}").answers(400),
        Operation(.get, mobile + "/auth/status", .waitingPhone).forPhones(),
        Operation(.get, mobile + "/auth/pending", .holding(.controlDevices)),
        Operation(.post, mobile + "/auth/confirm", .holding(.controlDevices, stepUp: true), body: #"{"code":"000000"}"#).answers(404),
        Operation(.delete, mobile + "/auth/pending/{id}", .holding(.controlDevices)).answers(404),
        Operation(.post, mobile + "/auth/revoke", .everyPerson(), body: #"{"revoke_all":true}"#).forPhones(),
        Operation(.get, mobile + "/auth/invitation", .everyoneKnown),
        Operation(.get, mobile + "/auth/invitation/qr.svg", .everyoneKnown),
        Operation(.get, mobile + "/devices", .everyPerson()),
        Operation(.patch, mobile + "/devices/{id}", .ownThing(), body: #"{"device_name":"Old phone"}"#).about(.phone),
        Operation(.delete, mobile + "/devices/{id}", .ownThing()).about(.phone),
    ]

    /// Realtime over plain HTTP, pages, and what keeps the hub running. A stream would not end: its head is asked for.
    private static let running: [Operation] =
        [
            Operation(.get, v1 + "/realtime", .everybody).answers(426),
            Operation(.post, v1 + "/realtime/ticket", .ticket).forPhones(),
            Operation(.head, v1 + "/realtime/events", .listening).forPhones(),
            Operation(.get, v1 + "/changes", .listening).forPhones(),
            Operation(.get, "/healthz", .everybody), Operation(.get, "/readyz", .everybody), Operation(.get, "/metrics", .everybody),
            Operation(.get, "/openapi.json", .everybody), Operation(.get, "/asyncapi.json", .everybody),
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
        ].map { Operation(.get, $0, .everybody) }

    /// Files that are the same for everybody: the pages' own.
    static func isFile(_ path: String) -> Bool {
        path.hasPrefix("/assets/")
            || ["/manifest.webmanifest", "/guest.webmanifest", "/sw.js", "/robots.txt", "/favicon.ico"].contains(path)
    }
}
