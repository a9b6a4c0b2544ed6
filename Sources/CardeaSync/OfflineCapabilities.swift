/// The actions that work while the house cannot be reached, and those that do not. `docs/offline.md` is its `page`.
public struct OfflineCapabilities: Sendable {
    public static let screens = Screen.all
    public static var rows: [Row] { screens.flatMap(\.rows) }

    /// The ways in which an action can end without the house.
    public enum Behavior: String, Hashable, Sendable, CaseIterable {
        /// The last stored answer of the house.
        case shown
        /// Queued, and done once when the house can be reached.
        case waits
        /// It needs no house.
        case here
        /// Nothing, with the reason.
        case no
    }

    /// One action of a screen.
    public struct Row: Hashable, Sendable {
        public let action: String
        /// The terminal's commands, or the calls of an app.
        public let commands: [String]
        public let behavior: Behavior
        /// Details; for `no`, the reason.
        public let note: String
        /// True if the source document calls it a feature: it names a call, a stored thing, or a part of its queue or its sync for it.
        public let isFeature: Bool

        public var works: Bool { behavior != .no }

        init(_ action: String, _ commands: [String], _ way: Behavior, _ note: String = "", isFeature: Bool = false) {
            self.action = action
            self.commands = commands
            self.behavior = way
            self.note = note
            self.isFeature = isFeature
        }

        init(_ action: String, _ command: String, _ way: Behavior, _ note: String = "", isFeature: Bool = false) {
            self.init(action, [command], way, note, isFeature: isFeature)
        }
    }

    public struct Screen: Hashable, Sendable {
        public let name: String
        public let rows: [Row]

        init(_ name: String, _ rows: [Row]) {
            self.name = name
            self.rows = rows
        }
    }

    /// A part of a whole.
    public struct Ratio: Hashable, Sendable {
        public let part: Int
        public let whole: Int

        /// Whole percent, rounded down.
        public var percent: Int { whole == 0 ? 0 : part * 100 / whole }
    }

    /// The document's features that work.
    public static var features: Ratio {
        let features = rows.filter(\.isFeature)
        return Ratio(part: features.count(where: \.works), whole: features.count)
    }

    /// The terminal's commands that work.
    public static var commands: Ratio {
        let commands = rows.flatMap { row in row.commands.filter { $0.first?.isLowercase == true }.map { _ in row.works } }
        return Ratio(part: commands.count { $0 }, whole: commands.count)
    }

    /// `docs/offline.md`.
    public static var markdownPage: String {
        let table = screens.flatMap { screen in
            screen.rows.map { row in
                let way = row.note.isEmpty ? row.behavior.rawValue : "\(row.behavior.rawValue): \(row.note)"
                let commands = row.commands.map { "`\($0)`" }.joined(separator: " ")
                return "| \(screen.name) | \(row.action) | \(commands) | \(row.isFeature ? "yes" : "") | \(way) |"
            }
        }
        return """
            # Without the house

            This page lists the effect of each action while the house cannot be reached. It applies to the terminal and to apps that use `CardeaSync`.
            Stored data is shown with its age. `cardea sync`, and every command that shows the house, updates it.
            Event pictures are stored encrypted too, up to 50 MB (`CARDEA_PICTURES_MB`, `picturesAtMost`); the least recently viewed are deleted first.
            Data deleted in the house is deleted here at the next sync. When a person is erased in the house, their data is removed here too, and the hub is notified;
            if you are erased yourself, the whole local copy is deleted (decision 0055).

            - **shown**: the last known answer is shown.
            - **waits**: the action is queued and done once when the house can be reached. Device commands wait 15 minutes, most others a day.
            - **here**: the action needs no connection.
            - **no**: the action fails at once, with the reason. Nothing is sent, now or later.

            Commands to doors are never queued (decision 0103). A question waits for a day and is asked once. Its answer is marked as late and triggers no action.

            Features are the actions that the source document on the house's consciousness covers by a call, stored data, its queue or its sync:
            **\(features.part) of \(features.whole) work offline, \(features.percent) %**. Of all commands of the terminal \(commands.part) of \(commands.whole) do, \
            \(commands.percent) % (51 % on 2026-11-27, of fewer commands).

            This page is generated from `OfflineCapabilities` in `CardeaSync`. After a change there, run `CARDEA_RENEW_DOCS=1 swift test --filter OfflineCapabilitiesTests`.

            | Screen | Action | Commands | Feature | Without the house |
            |---|---|---|---|---|
            \(table.joined(separator: "\n"))

            """
    }
}
