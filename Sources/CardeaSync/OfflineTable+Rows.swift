/// One row for each command and screen, with its behaviour without the house. A wrong row fails `Tests/PeerTests/test_offline_table.py`.
extension OfflineTable.Screen {
    static let all = [
        house, doors, devices, rooms, scenes, automations, ask, memory, interview, twins, queue, guests, people, signingIn, events, notices,
        buttonsAndTags, maintenance, connections, recordAndPrivacy,
    ]

    private typealias Row = OfflineTable.Row

    static let house = Self(
        "House",
        [
            Row("See how the house stands", "status", .shown, isFeature: true),
            Row(
                "Follow the house as it changes", "watch", .shown, "as it last stood, and on by itself when the house is back",
                isFeature: true),
            Row("Read how the house is set up", "Replica.house", .shown, isFeature: true),
            Row(
                "Catch up with the house", "sync", .shown, "since when, what waits, what was never done, and late answers", isFeature: true),
            Row("Read the energy that flows and was used", "energy", .shown),
            Row("Read the air in the rooms", "environment", .shown, isFeature: true),
            Row("Read what was asked of the house", "activity", .shown, "the latest 200"),
            Row(
                "Look at a screen of an app", ["DevicesScreen", "EventsScreen", "GuestsScreen", "SettingsScreen", "SyncStatusScreen"],
                .shown),
        ])

    static let doors = Self(
        "Doors",
        [
            Row(
                "Open or lock a door", ["open", "lock"], .no, "a door moves while somebody stands before it, or not at all", isFeature: true
            )
        ])

    static let devices = Self(
        "Devices",
        [
            Row("List the devices", "devices list", .shown, isFeature: true),
            Row("See a device and what it can be asked", "devices show", .shown, isFeature: true),
            Row(
                "Switch or set a light, a heater, a fan, a blind, a player", "devices control", .waits,
                "15 minutes, last wish last; toggles, presses and stops do not", isFeature: true),
            Row("Rename or move a device", "Replica.edit(.device)", .waits, "a change that met another's asks which", isFeature: true),
            Row("Read a device's history", "history", .shown, "of sensors looked at, or of the first twelve over a day", isFeature: true),
            Row("Say what opens a way in", "devices way-in", .no, "the house judges what a door is"),
            Row("Make one device of two", "devices merge", .no, "the house judges what a door is"),
            Row("Put a door in the place of another", "devices replace", .no, "the house judges what a door is"),
        ])

    static let rooms = Self(
        "Rooms",
        [
            Row("List the rooms", "rooms list", .shown, isFeature: true),
            Row("See what is in a room", "rooms show", .shown, isFeature: true),
            Row("Rename a room", "rooms rename", .waits, "a change that met another's asks which", isFeature: true),
        ])

    static let scenes = Self(
        "Scenes",
        [
            Row("List the scenes", "scenes list", .shown, isFeature: true),
            Row("Run a scene", "scenes run", .waits, "if all of it can, so nothing with a door in it", isFeature: true),
            Row("Make a scene", "scenes make", .waits, "a day, for as long as the house knows a wish by its name", isFeature: true),
            Row("Forget a scene", "scenes remove", .waits, "a day", isFeature: true),
            Row("Write a scene anew", "Replica.edit(.scene)", .waits, "a change that met another's asks which", isFeature: true),
        ])

    static let automations = Self(
        "Automations",
        [
            Row("List the automations", "automations list", .shown, "what was looked at"),
            Row("See an automation", "automations show", .shown, "what was looked at"),
            Row("Read what came of an automation", "automations history", .shown, "what was looked at"),
            Row("Switch an automation off", "automations off", .waits, "a day; until then it goes on, and that is said"),
            Row("Forget an automation", "automations remove", .waits, "a day; until then it goes on, and that is said"),
            Row("Add an automation", "automations add", .no, "it would act later for somebody who is not there"),
            Row("Switch an automation on", "automations on", .no, "it would act later for somebody who is not there"),
            Row("Try an automation on the last days", "automations try", .no, "the house has the days"),
        ])

    static let ask = Self(
        "Ask",
        [
            Row(
                "Ask the house in plain words", "ask", .waits,
                "a day, asked once, and the answer is told as late and suggests nothing; what is known of the devices it names is shown at once",
                isFeature: true),
            Row("See how the house feels, and why", "mood", .shown, isFeature: true),
            Row("Imagine what would be", "whatif", .shown, "what was asked before", isFeature: true),
        ])

    static let memory = Self(
        "Memory",
        [
            Row(
                "Search what the house remembers", "memory list", .shown,
                "what was looked for, and the list without words as `sync` read it last", isFeature: true),
            Row("Read a memory", "memory show", .shown, "what was looked at", isFeature: true),
            Row(
                "Have the house remember something", "memory add", .waits, "a day, for as long as the house knows a wish by its name",
                isFeature: true),
            Row("Change a memory", "memory edit", .waits, "a day, if it was looked at; one that was changed meanwhile stays"),
            Row("Forget a memory", "memory forget", .waits, "a day"),
        ])

    static let interview = Self(
        "Interview",
        [
            Row("Read what one told the house of its devices", "interview status", .shown, "as it was looked at last", isFeature: true),
            Row("Tell the house of a device", "interview say", .waits, "a day; what it understood is seen after that", isFeature: true),
            Row("Talk with the house about devices", "interview talk", .no, "the house asks back", isFeature: true),
            Row("Have the house take in what was told", "interview confirm", .no, "the house has understood nothing yet"),
            Row("End the conversation", "interview cancel", .no, "the house has the conversation"),
        ])

    static let twins = Self(
        "Twins",
        [
            Row("List the twins", "twins list", .shown, "what was looked at", isFeature: true),
            Row("See a twin", "twins show", .shown, "what was looked at", isFeature: true),
            Row("Make a twin", "twins make", .waits, "a day", isFeature: true),
            Row("Take a twin back", "twins remove", .waits, "a day"),
        ])

    static let queue = Self(
        "Queue",
        [
            Row("See what waits for the house", "queue list", .here, isFeature: true),
            Row("Take a wish back", "queue discard", .here, isFeature: true),
            Row("See what met another's change", "conflicts list", .here, isFeature: true),
            Row("Decide which of two changes stands", "conflicts resolve", .here, isFeature: true),
        ])

    static let guests = Self(
        "Guests",
        [
            Row("List the guests and what they may", "guests list", .shown),
            Row("Read what a guest did", "guests show", .shown),
            Row(
                "Make a pass", "guests invite", .waits,
                "a day, and no longer than the pass would be good; it opens nothing before its code is asked for, and the house may want a step-up first"
            ),
            Row("Pause a pass", "guests suspend", .waits, "told before anything else; until then the pass is good, and that is said"),
            Row("Take a pass back", "guests revoke", .waits, "told before anything else; until then the pass is good, and that is said"),
            Row("Make a new code for a guest", "guests code", .no, "the house makes every code"),
            Row("Say yes to a guest who waits", "guests approve", .no, "the house answers for who comes in"),
            Row("Say no to a guest who waits", "guests reject", .no, "who waits has gone when the house hears of it"),
            Row("Let a paused pass work again", "guests resume", .no, "the house answers for who comes in"),
            Row("Take every pass back", "guests revoke-all", .no, "passes that were made meanwhile would go too"),
            Row("See who waits for a yes", "guests asks", .shown, "for ten minutes"),
            Row("Take away what is kept of a guest", "guests export", .no, "the house packs it"),
            Row("Erase a guest", "guests erase", .no, "the house forgets"),
            Row("See one's own passes", "pass", .shown),
            Row("Take a pass", "pair", .no, "the house says who somebody is"),
            Row("Ask why somebody may or may not", "explain", .shown, "what was asked before"),
        ])

    static let people = Self(
        "People",
        [
            Row("List the household", "people list", .shown, isFeature: true),
            Row("Read who one is, and what one may", "Question.me", .shown, isFeature: true),
            Row("Invite somebody", "people invite", .no, "the house makes every invitation"),
            Row("Make a new invitation", "people link", .no, "the house makes every invitation"),
            Row("Change what somebody may", "people change", .no, "the house judges rights"),
            Row("Take somebody out", "people remove", .no, "the house judges rights"),
            Row("Say that one is home or away", "presence", .no, "it is meant for now"),
        ])

    static let signingIn = Self(
        "Signing in",
        [
            Row("Sign in", "login", .no, "the house says who somebody is", isFeature: true),
            Row("Sign out", "logout", .here, "forgotten here, and said that the house could not be told", isFeature: true),
            Row("Make a new house one's own", "claim", .no, "the house says who somebody is"),
            Row("Take up an invitation", "join", .no, "the house says who somebody is"),
            Row("Say again that it is oneself", "step-up", .no, "the house says who somebody is"),
            Row("See where one is signed in", "sessions list", .shown),
            Row("End a session", "sessions end", .no, "the house ends it, and says that it has"),
            Row("See what one set up that can open or listen", "access list", .shown, "what was looked at"),
            Row("Switch such a thing off", "access off", .no, "the house ends it, and says that it has"),
            Row("Switch such a thing on", "access on", .no, "the house judges rights"),
            Row("List the tokens of programs", "tokens list", .shown),
            Row("Make a token", "tokens make", .no, "the house makes every key"),
            Row("Revoke a token", "tokens revoke", .waits, "told before anything else; until then the token is good, and that is said"),
            Row("Pair a phone", "pair-phone", .no, "the house says who somebody is"),
            Row("List the phones", "phones list", .shown, "what was looked at"),
            Row("Rename a phone", "phones rename", .no, "the house tells phones apart"),
            Row("Take a phone off", "phones remove", .no, "the house ends it, and says that it has"),
            Row("See phones that wait", "phones waiting", .no, "none waits for longer than minutes"),
            Row("Turn a phone away", "phones reject", .no, "none waits for longer than minutes"),
        ])

    static let events = Self(
        "Events",
        [
            Row(
                "List who was at the door", "events list", .shown,
                "the latest hundred, by camera, kind, time and words, and pages that were looked at"),
            Row("See an event", "events show", .shown, "also its picture, where it was looked at or is among the latest twelve"),
            Row("Delete an event", "events delete", .waits, "a day; until then it is there"),
            Row("List the cameras", "cameras list", .shown, "as they were listed last"),
            Row("See a camera", "cameras show", .shown, "as it was listed last; what it shows now is the house's"),
            Row("Add a camera", "cameras add", .no, "the house judges every address"),
            Row("Change a camera", "cameras change", .no, "the house judges every address"),
            Row("Take a camera out", "cameras remove", .no, "the house lets go of its address"),
            Row("List the webhooks", "webhooks list", .shown, "what was looked at"),
            Row("Make a webhook", "webhooks add", .no, "its URL holds a secret, which the house makes"),
            Row("Revoke a webhook", "webhooks revoke", .waits, "without an end; the house is told before anything else"),
        ])

    static let notices = Self(
        "Notices",
        [
            Row("Read what one was told meanwhile", "notify list", .shown, "what was looked at"),
            Row("See what one wants to be told", "notify settings", .shown, "what was looked at"),
            Row("See where one is told", "notify places", .shown, "what was looked at"),
            Row("Say that one has seen it", "notify seen", .no, "somebody else was told already, or never will be"),
        ])

    static let buttonsAndTags = Self(
        "Buttons and tags",
        [
            Row("List the buttons", "buttons list", .shown, "as they were listed last"),
            Row("Press a button", "buttons press", .no, "a press means the moment"),
            Row("Add a button", "buttons add", .no, "the house makes every key"),
            Row("Change a button", "buttons change", .no, "its tags would do something else than they say"),
            Row("Take a button out", "buttons remove", .no, "its tags go with it"),
            Row("Make a button's links worthless", "buttons regenerate", .no, "the house makes every key"),
            Row("Make a button's key", "buttons key", .no, "the house makes every key"),
            Row("List the tags", "tags list", .shown, "as they were listed last"),
            Row("Read what is on a tag", "tags read", .here, "whose it is, and what a tap would do, the house says"),
            Row("Write a tag", "tags write", .no, "the house makes every key"),
            Row("Give a tag keys of its own", "tags enrol", .no, "the house makes every key"),
            Row("Try a tag", "tags test", .no, "a tap that comes late would be a stranger's"),
            Row("Let a tag press its button again", "tags renew", .no, "the house judges what it opens"),
            Row("Tap a tag", "tags tap", .no, "a tap that comes late would be a stranger's"),
            Row("Say that one looked into an alarm", "tags seen", .no, "the alarm is the house's"),
            Row("Say what the house leaves to tags", "tags policy", .no, "the house judges what they open"),
            Row("Take a tag out", "tags remove", .no, "the house lets go of its key"),
        ])

    static let maintenance = Self(
        "Maintenance",
        [
            Row("List what is to be done", "maintenance list", .shown, "what was looked at"),
            Row("Read what was done", "maintenance history", .shown, "what was looked at"),
            Row("Put down what is to be done", "maintenance add", .waits, "a day"),
            Row("Put down that it was done", "maintenance done", .waits, "a day, with the time at which it was said"),
            Row("Take a task out", "maintenance remove", .waits, "a day; one that was changed meanwhile stays"),
        ])

    static let connections = Self(
        "Connections",
        [
            Row("See what the house is connected to", "integrations list", .shown),
            Row("See which MQTT devices announced themselves", "integrations mqtt", .shown),
            Row("See what the house could be connected to", "integrations nearby", .shown, "what stood there when somebody looked last"),
            Row("Check an MQTT announcement", "integrations check-announcement", .no, "the house reads it"),
            Row("Connect Home Assistant", "integrations home-assistant", .no, "the house tries the connection first"),
            Row("Store the code of an MQTT lock", "integrations code", .no, "a code lies in the house and nowhere else"),
            Row("Find houses on the network", "discover", .here, "whatever house answers"),
            Row("Keep a relay to the house", "relay set", .here),
            Row("See the relay", "relay show", .here),
            Row("Forget the relay", "relay remove", .here),
            Row("Complete commands in a shell", "completions", .here),
        ])

    static let recordAndPrivacy = Self(
        "Record and privacy",
        [
            Row("Read the record entry by entry", "audit list", .shown, "pages that were looked at"),
            Row("Verify an exported record", "audit verify", .here, "it proves itself"),
            Row("Hold the record against what was seen of it", "audit check", .no, "the house shows it; what was seen stays kept"),
            Row("Prove an entry", "audit proof", .no, "the house proves it"),
            Row("Take the record away", "audit export", .no, "the house packs it"),
            Row("See what is kept of one", "privacy show", .shown, "what was looked at"),
            Row("See for how long things are kept", "privacy retention", .shown, "what was looked at"),
            Row("See exports and erasures", "privacy jobs", .shown, "what was looked at"),
            Row("Have less kept", "privacy keep", .no, "the house forgets"),
            Row("Take away what is kept of one", "privacy export", .no, "the house packs it"),
            Row("Stop an export", "privacy stop", .no, "it is over when the house hears of it"),
            Row("Be erased", "privacy erase", .no, "the house forgets"),
        ])
}
