/// Changes to the protocol, with their dates. docs/protocol.md has the same lines in more detail.
public enum ProtocolHistory {
    public struct Entry: Sendable {
        /// `WireFormat.version`, and a count of what was added to it.
        public let name: String
        public let date: String
        public let words: String
    }

    public static let entries = [
        Entry(name: "1.0", date: "2026-11-21", words: "The first."),
        Entry(name: "1.1", date: "2026-11-21", words: "Realtime, tickets and changes."),
        Entry(
            name: "1.2", date: "2026-11-21",
            words: "The contract at /openapi.json and /asyncapi.json; RateLimit fields beside Retry-After."),
        Entry(
            name: "1.3", date: "2026-11-22",
            words: "Passes bound to a key of the guest's device, which signs each action."),
        Entry(name: "1.4", date: "2026-11-22", words: "Pairing, listing and removing phones under /api/v1/mobile."),
        Entry(
            name: "1.5", date: "2026-11-22",
            words: "Events with pictures, and incidents, under /api/v1/mobile and /api/v1; API tokens that record them."),
        Entry(
            name: "1.6", date: "2026-11-22",
            words: "Cameras, Frigate and Home Assistant as event sources; notifications, with push to browsers and Apple devices."),
        Entry(
            name: "1.7", date: "2026-11-22",
            words: """
                Events that a machine put into words say so by description_source, and event_update tells of it; what stands on the network \
                nearby, and what can be done with it; the house as _argusai._tcp where that is wanted.
                """),
        Entry(name: "1.8", date: "2026-11-22", words: "Buttons, and the tags and links that press them."),
        Entry(name: "1.9", date: "2026-11-23", words: "Buttons that publish over MQTT; tags that become active after verification."),
        Entry(name: "1.10", date: "2026-11-23", words: "Questions to the house, and its mood."),
        Entry(
            name: "1.11", date: "2026-11-23",
            words: """
                What the house remembers and has learned can be read and corrected; its loops; notices in words of its own; interviews, in \
                which devices are taken in; devices that are planned, and not connected yet; twins of devices and rooms, and what would be; \
                what the house does by itself, and who says that they are home.
                """
        ),
        Entry(
            name: "1.12", date: "2026-11-23",
            words: """
                The record of who did what: searched, exported, and proven elsewhere. What the house keeps of whoever asks; for how long, which an \
                owner may shorten; taking it away and having it erased, as jobs. How the house backs itself up. A tag that must be read in after a \
                restore says so. What is to be done in the house, and what was done. Clients that keep a copy of the house are told who was erased, \
                and say that nothing is left. What would be is compared with what tells now, over as many of the last days as one likes.
                """
        ),
        Entry(
            name: "1.13", date: "2026-11-26",
            words: """
                A guest's host takes away what is kept of them. An export that waits or runs is stopped, and whoever asked for long work is told of \
                its end. The house says whether its record is as it was written, and which entry is not. A connection is tried as it is kept. A program \
                is told of what it may ask for. The demo feels, remembers, answers and interviews without a token.
                """
        ),
        Entry(
            name: "1.14", date: "2026-11-28",
            words: """
                A yes to a pass is for the phone that asked: it is known by its key or by claim_secret, and it and the house show the same number. \
                What lets somebody else open later asks for a step-up. The record names the automation or program that acted.
                """
        ),
        Entry(
            name: "1.15", date: "2026-11-28",
            words: """
                The list of what somebody set up lately that can open or listen, and its switches. The record names the button or tag by which \
                somebody opened. A pass may want the phone to verify its guest, and comes back by the phone's passkey.
                """
        ),
        Entry(
            name: "1.16", date: "2026-11-28",
            words: """
                A browser's session is bound to a key of that browser (RFC 9449): a cookie alone refreshes nothing, and browsers sign in once more.
                """
        ),
        Entry(
            name: "1.17", date: "2026-11-28",
            words: """
                Entities say their kind and their category, and which open a way in; valves, alarm panels, events and images; presets, effects, \
                directions, ranges of temperatures. The MQTT integration lists which devices announced themselves and what was not understood, shows announcements with their secrets \
                masked, and checks one without a broker. Image entities have a picture. Codes of locks and alarm panels are stored with its settings.
                """
        ),
        Entry(
            name: "1.18", date: "2026-11-29",
            words: """
                A way in stays one, whatever is announced next: entities say how they stand as ways in, a device tells how its ways in are told to open, \
                before and now, and takes the household's word for it. Two devices can be made one, and a new lock takes the place of a broken one. \
                A person links the entity of Home Assistant that says where they are.
                """
        ),
        Entry(
            name: "1.19", date: "2026-11-29",
            words: """
                A device that was lost is not known until it reports again: its state is unknown, and last_reported says what it said last. Automations \
                do nothing on what is not known, and say so. A pass says when its hours let it work next; a look with a pass that is not good is no \
                wrong try. The owner says who answers guests. A room's default brightness, its motion and the house's vacation act. A conflict says who \
                changed what, and a new name alone is a renaming on the record.
                """
        ),
        Entry(
            name: "1.20", date: "2026-11-29",
            words: """
                Doorbells and cameras report events by webhooks, in their own form, over plain HTTP where asked for. An event is kept without a picture \
                that is no good, and says why. Links, codes and tags' links are taken in every spelling that people paste, and a code that is not whole \
                is no guess. Passwords are compared as letters, time zones are names that browsers know, and hours may end at 24:00. A conflict says who \
                was faster, whatever it is about. /v1 is /api/v1 without cookies, names of query parameters may be camelCase, and a body with an unknown \
                word is told the known ones. Devices come in the source contract's form to who names its type, and realtime speaks it after init. A \
                question that waited for the house is answered as late.
                """
        ),
    ]

    public static let latest = entries[entries.count - 1]
}
