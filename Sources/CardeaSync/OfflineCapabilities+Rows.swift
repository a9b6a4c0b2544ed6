/// One row for each command and screen, with its behaviour without the house. A wrong row fails `Tests/PeerTests/test_offline_table.py`.
extension OfflineCapabilities.Screen {
    static let all = [
        house, doors, devices, rooms, scenes, automations, ask, memory, interview, twins, queue, guests, people, signingIn, events, notices,
        buttonsAndTags, maintenance, connections, recordAndPrivacy,
    ]

    private typealias Row = OfflineCapabilities.Row

    static let house = Self(
        "House",
        [
            Row("See the state of the house", "status", .shown, isFeature: true),
            Row(
                "Watch changes in the house", "watch", .shown, "the last known state; reconnects by itself",
                isFeature: true),
            Row("Read the house's configuration", "Replica.house", .shown, isFeature: true),
            Row(
                "Sync with the house", "sync", .shown, "the time of the last sync, queued and expired changes, late answers",
                isFeature: true),
            Row("Read power and energy use", "energy", .shown),
            Row("Read the climate of the rooms", "environment", .shown, isFeature: true),
            Row("Read recent commands", "activity", .shown, "the latest 200"),
            Row(
                "Open a screen of an app", ["DevicesScreen", "EventsScreen", "GuestsScreen", "SettingsScreen", "SyncStatusScreen"],
                .shown),
        ])

    static let doors = Self(
        "Doors",
        [
            Row(
                "Open or lock a door", ["open", "lock"], .no, "a door must never move later than requested", isFeature: true
            )
        ])

    static let devices = Self(
        "Devices",
        [
            Row("List the devices", "devices list", .shown, isFeature: true),
            Row("See a device and its commands", "devices show", .shown, isFeature: true),
            Row(
                "Switch or set a light, a heater, a fan, a blind, a player", "devices control", .waits,
                "15 minutes, the latest command counts; not for toggles, presses and stops", isFeature: true),
            Row(
                "Rename or move a device", "Replica.edit(.device)", .waits, "conflicting changes are listed in `conflicts list`",
                isFeature: true),
            Row("Read a device's history", "history", .shown, "sensors viewed before, or the first twelve over a day", isFeature: true),
            Row("Mark a way in", "devices way-in", .no, "the hub decides what counts as a door"),
            Row("Merge two devices", "devices merge", .no, "the hub decides what counts as a door"),
            Row("Replace a door", "devices replace", .no, "the hub decides what counts as a door"),
        ])

    static let rooms = Self(
        "Rooms",
        [
            Row("List the rooms", "rooms list", .shown, isFeature: true),
            Row("See the devices in a room", "rooms show", .shown, isFeature: true),
            Row("Rename a room", "rooms rename", .waits, "conflicting changes are listed in `conflicts list`", isFeature: true),
        ])

    static let scenes = Self(
        "Scenes",
        [
            Row("List the scenes", "scenes list", .shown, isFeature: true),
            Row("Run a scene", "scenes run", .waits, "if every action can wait; not with a door", isFeature: true),
            Row("Make a scene", "scenes make", .waits, "a day, as long as the hub keeps idempotency keys", isFeature: true),
            Row("Remove a scene", "scenes remove", .waits, "a day", isFeature: true),
            Row("Change a scene", "Replica.edit(.scene)", .waits, "conflicting changes are listed in `conflicts list`", isFeature: true),
        ])

    static let automations = Self(
        "Automations",
        [
            Row("List the automations", "automations list", .shown, "if viewed before"),
            Row("See an automation", "automations show", .shown, "if viewed before"),
            Row("Read the runs of an automation", "automations history", .shown, "if viewed before"),
            Row("Switch an automation off", "automations off", .waits, "a day; until then it keeps running, and a message says so"),
            Row("Remove an automation", "automations remove", .waits, "a day; until then it keeps running, and a message says so"),
            Row("Add an automation", "automations add", .no, "it would act later with the permissions of an absent person"),
            Row("Switch an automation on", "automations on", .no, "it would act later with the permissions of an absent person"),
            Row("Simulate an automation", "automations try", .no, "the hub has the history"),
        ])

    static let ask = Self(
        "Ask",
        [
            Row(
                "Ask a question in plain words", "ask", .waits,
                "a day, asked once; the answer is marked as late and suggests no action; the last known state of the named devices is shown at once",
                isFeature: true),
            Row("See the mood and its causes", "mood", .shown, isFeature: true),
            Row("Predict the effect of a change", "whatif", .shown, "if asked before", isFeature: true),
        ])

    static let memory = Self(
        "Memory",
        [
            Row(
                "Search memories", "memory list", .shown,
                "earlier searches, and the list without words from the last `sync`", isFeature: true),
            Row("Read a memory", "memory show", .shown, "if viewed before", isFeature: true),
            Row(
                "Add a memory", "memory add", .waits, "a day, as long as the hub keeps idempotency keys",
                isFeature: true),
            Row("Change a memory", "memory edit", .waits, "a day, if viewed before; a memory changed since is not overwritten"),
            Row("Forget a memory", "memory forget", .waits, "a day"),
        ])

    static let interview = Self(
        "Interview",
        [
            Row("Read the interview's progress", "interview status", .shown, "as last viewed", isFeature: true),
            Row(
                "Send one message to the interview", "interview say", .waits, "a day; the devices found are shown after that",
                isFeature: true),
            Row("Have the interview conversation", "interview talk", .no, "the hub asks questions", isFeature: true),
            Row("Confirm the devices found", "interview confirm", .no, "the hub has not found the devices yet"),
            Row("End the interview", "interview cancel", .no, "the hub holds the conversation"),
        ])

    static let twins = Self(
        "Twins",
        [
            Row("List the twins", "twins list", .shown, "if viewed before", isFeature: true),
            Row("See a twin", "twins show", .shown, "if viewed before", isFeature: true),
            Row("Make a twin", "twins make", .waits, "a day", isFeature: true),
            Row("Remove a twin", "twins remove", .waits, "a day"),
        ])

    static let queue = Self(
        "Queue",
        [
            Row("List queued changes", "queue list", .here, isFeature: true),
            Row("Discard a queued change", "queue discard", .here, isFeature: true),
            Row("List conflicts", "conflicts list", .here, isFeature: true),
            Row("Resolve a conflict", "conflicts resolve", .here, isFeature: true),
        ])

    static let guests = Self(
        "Guests",
        [
            Row("List the guests and their passes", "guests list", .shown),
            Row("See a guest and their access attempts", "guests show", .shown),
            Row(
                "Make a pass", "guests invite", .waits,
                "a day, at most until the pass ends; it opens nothing until its code is requested, and `step-up` may be needed first"
            ),
            Row("Suspend a pass", "guests suspend", .waits, "sent first; until then the pass works, and a message says so"),
            Row("Revoke a pass", "guests revoke", .waits, "sent first; until then the pass works, and a message says so"),
            Row("Make a new code for a guest", "guests code", .no, "the hub makes every code"),
            Row("Approve a waiting guest", "guests approve", .no, "the hub checks access when it is granted"),
            Row("Reject a waiting guest", "guests reject", .no, "the guest has left by then"),
            Row("Resume a suspended pass", "guests resume", .no, "the hub checks access when it is granted"),
            Row("Revoke all passes", "guests revoke-all", .no, "passes made in the meantime would be revoked too"),
            Row("List waiting guests", "guests asks", .shown, "for ten minutes"),
            Row("Export a guest's data", "guests export", .no, "the hub makes the export"),
            Row("Erase a guest", "guests erase", .no, "the hub deletes the data"),
            Row("See your own passes", "pass", .shown),
            Row("Accept a pass", "pair", .no, "the hub checks identities"),
            Row("Explain a permission", "explain", .shown, "if asked before"),
        ])

    static let people = Self(
        "People",
        [
            Row("List the residents", "people list", .shown, isFeature: true),
            Row("Read your own role and permissions", "Question.me", .shown, isFeature: true),
            Row("Invite a person", "people invite", .no, "the hub makes every invitation"),
            Row("Make a new invitation", "people link", .no, "the hub makes every invitation"),
            Row("Change a person's permissions", "people change", .no, "the hub checks permissions"),
            Row("Remove a person", "people remove", .no, "the hub checks permissions"),
            Row("Set home or away", "presence", .no, "it is valid only at that moment"),
        ])

    static let signingIn = Self(
        "Signing in",
        [
            Row("Sign in", "login", .no, "the hub checks identities", isFeature: true),
            Row(
                "Sign out", "logout", .here, "tokens are removed here; a message says that the session on the hub is still open",
                isFeature: true),
            Row("Claim a new house", "claim", .no, "the hub checks identities"),
            Row("Accept an invitation", "join", .no, "the hub checks identities"),
            Row("Confirm your password", "step-up", .no, "the hub checks identities"),
            Row("List your sessions", "sessions list", .shown),
            Row("End a session", "sessions end", .no, "the hub must confirm it"),
            Row("List what you set up recently", "access list", .shown, "if viewed before"),
            Row("Disable something you set up", "access off", .no, "the hub must confirm it"),
            Row("Enable something you set up", "access on", .no, "the hub checks permissions"),
            Row("List the tokens of programs", "tokens list", .shown),
            Row("Make a token", "tokens make", .no, "the hub makes every key"),
            Row("Revoke a token", "tokens revoke", .waits, "sent first; until then the token works, and a message says so"),
            Row("Pair a phone", "pair-phone", .no, "the hub checks identities"),
            Row("List the phones", "phones list", .shown, "if viewed before"),
            Row("Rename a phone", "phones rename", .no, "the hub keeps the names of phones unique"),
            Row("Remove a phone", "phones remove", .no, "the hub must confirm it"),
            Row("List waiting phones", "phones waiting", .no, "a phone waits only for minutes"),
            Row("Reject a waiting phone", "phones reject", .no, "a phone waits only for minutes"),
        ])

    static let events = Self(
        "Events",
        [
            Row(
                "List camera and doorbell events", "events list", .shown,
                "the latest hundred, by camera, type, time and words, and pages viewed before"),
            Row("See an event", "events show", .shown, "with its picture, if viewed before or among the latest twelve"),
            Row("Delete an event", "events delete", .waits, "a day; until then the event stays"),
            Row("List the cameras", "cameras list", .shown, "as last listed"),
            Row("See a camera", "cameras show", .shown, "as last listed, without the current picture"),
            Row("Add a camera", "cameras add", .no, "the hub checks every address"),
            Row("Change a camera", "cameras change", .no, "the hub checks every address"),
            Row("Remove a camera", "cameras remove", .no, "the hub deletes its address"),
            Row("List the webhooks", "webhooks list", .shown, "if viewed before"),
            Row("Add a webhook", "webhooks add", .no, "the hub makes the secret in its URL"),
            Row("Revoke a webhook", "webhooks revoke", .waits, "without a time limit; sent first"),
        ])

    static let notices = Self(
        "Notices",
        [
            Row("List your notifications", "notify list", .shown, "if viewed before"),
            Row("See your notification settings", "notify settings", .shown, "if viewed before"),
            Row("List your notified browsers and phones", "notify places", .shown, "if viewed before"),
            Row("Mark a notification as seen", "notify seen", .no, "the next person has already been notified, or never will be"),
        ])

    static let buttonsAndTags = Self(
        "Buttons and tags",
        [
            Row("List the buttons", "buttons list", .shown, "as last listed"),
            Row("Press a button", "buttons press", .no, "a press is valid only at that moment"),
            Row("Add a button", "buttons add", .no, "the hub makes every key"),
            Row("Change a button", "buttons change", .no, "its tags must be renewed first"),
            Row("Remove a button", "buttons remove", .no, "its tags are removed too"),
            Row("Invalidate a button's live links", "buttons regenerate", .no, "the hub makes every key"),
            Row("Make a button's key", "buttons key", .no, "the hub makes every key"),
            Row("List the tags", "tags list", .shown, "as last listed"),
            Row("Read a tag", "tags read", .here, "only its content; its entry and the effect of a tap need the hub"),
            Row("Write a tag", "tags write", .no, "the hub makes every key"),
            Row("Enrol a tag", "tags enrol", .no, "the hub makes every key"),
            Row("Test a tag", "tags test", .no, "a tap is valid only at that moment"),
            Row("Renew a tag", "tags renew", .no, "the hub decides what it may open"),
            Row("Tap a tag", "tags tap", .no, "a tap is valid only at that moment"),
            Row("Clear a tag's alarm", "tags seen", .no, "the hub holds the alarm"),
            Row("Set the tag policy", "tags policy", .no, "the hub decides what they may open"),
            Row("Remove a tag", "tags remove", .no, "the hub deletes its key"),
        ])

    static let maintenance = Self(
        "Maintenance",
        [
            Row("List the tasks", "maintenance list", .shown, "if viewed before"),
            Row("Read completed tasks", "maintenance history", .shown, "if viewed before"),
            Row("Add a task", "maintenance add", .waits, "a day"),
            Row("Mark a task as done", "maintenance done", .waits, "a day, with the time of the command"),
            Row("Remove a task", "maintenance remove", .waits, "a day; a task changed since is not removed"),
        ])

    static let connections = Self(
        "Connections",
        [
            Row("List the integrations", "integrations list", .shown),
            Row("List announced MQTT devices", "integrations mqtt", .shown),
            Row("Find devices on the network", "integrations nearby", .shown, "the last result"),
            Row("Check an MQTT announcement", "integrations check-announcement", .no, "the hub parses it"),
            Row("Connect Home Assistant", "integrations home-assistant", .no, "the hub tests the connection first"),
            Row("Store the code of an MQTT lock", "integrations code", .no, "a code is stored only in the hub"),
            Row("Find houses on the network", "discover", .here, "any house on this network"),
            Row("Set the relay", "relay set", .here),
            Row("See the relay", "relay show", .here),
            Row("Remove the relay", "relay remove", .here),
            Row("Complete commands in a shell", "completions", .here),
        ])

    static let recordAndPrivacy = Self(
        "Audit log and privacy",
        [
            Row("List the audit log", "audit list", .shown, "pages viewed before"),
            Row("Verify an exported audit log", "audit verify", .here, "the file contains the proof"),
            Row("Check the audit log against the last check", "audit check", .no, "the hub shows it; the last check stays stored"),
            Row("Prove an audit entry", "audit proof", .no, "the hub makes the proof"),
            Row("Export the audit log", "audit export", .no, "the hub makes the export"),
            Row("See your stored data", "privacy show", .shown, "if viewed before"),
            Row("See the retention times", "privacy retention", .shown, "if viewed before"),
            Row("See exports and erasures", "privacy jobs", .shown, "if viewed before"),
            Row("Shorten a retention time", "privacy keep", .no, "the hub deletes the data"),
            Row("Export your data", "privacy export", .no, "the hub makes the export"),
            Row("Cancel an export", "privacy stop", .no, "the export has ended by then"),
            Row("Erase a person", "privacy erase", .no, "the hub deletes the data"),
        ])
}
