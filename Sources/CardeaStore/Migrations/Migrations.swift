import GRDB

/// The numbered steps from an empty file to today's house. A step that has been released is never changed.
enum Migrations {
    static func run(on database: any DatabaseWriter, steps: [(number: Int, statements: [String])] = steps) throws {
        var migrator = DatabaseMigrator()
        for (number, statements) in steps {
            migrator.registerMigration("\(number)") { db in
                for sql in statements { try db.execute(sql: sql) }
            }
        }
        // A database of a newer hub is left alone: older code could damage it.
        guard try database.read({ try !migrator.hasBeenSuperseded($0) }) else { throw SchemaTooNewError() }
        try migrator.migrate(database)
    }

    /// Each with the number under which it is known to have been done.
    static let steps: [(number: Int, statements: [String])] = [
        (
            1,
            [
                Foundation1.journal, Foundation1.house, Foundation1.people, Foundation1.sessions, Foundation1.devices, Foundation1.guests,
                Foundation1.commands, Foundation1.safeguards,
            ]
        ),
        (2, [Devices2.scenes, Devices2.rooms, Devices2.house, Devices2.descriptions, Devices2.readings, Devices2.preferences]),
        (3, [Sessions3.sessions, Sessions3.passkeys, Sessions3.apiTokens]),
        (4, [Audit4.plain, Audit4.keys, Audit4.entries]),
        (5, [Household5.versions, Household5.movements, Household5.integrations, Household5.rooms]),
        (6, [Lookups6.indexes]),
        (7, [GuestKeys7.keys]),
        (8, [Phones8.sessions, Phones8.phones]),
        (9, [Events9.incidents, Events9.events, Events9.upkeep, Events9.tokens]),
        (10, [Cameras10.cameras]),
        (11, [Notices11.notices, Notices11.pushes]),
        (12, [Descriptions12.descriptions]),
        (13, [Tags13.buttons, Tags13.tags]),
        (14, [Publications14.buttons, Publications14.tags]),
        (15, [Mind15.happenings, Mind15.mind]),
        (16, [Memories16.memories, Memories16.notices]),
        (17, [Interviews17.interviews]),
        (18, [Twins18.twins]),
        (19, [Automations19.automations, Automations19.presence, Automations19.notices]),
        (20, [Proofs20.proofs]),
        (21, [Backups21.backups, Backups21.tags]),
        (22, [Search22.marks]),
        (23, [Retention23.retention, Retention23.rooms]),
        (24, [Leaving24.jobs, Leaving24.erasures]),
        (25, [Keys25.keys]),
        (26, [Maintenance26.tasks, Maintenance26.history, Maintenance26.notices]),
        (27, [Clock27.mark, Clock27.gone]),
        (28, [Columns28.columns, Columns28.words]),
        (29, [Replicas29.replicas, Replicas29.confirmations, Replicas29.tokens]),
        (30, [Rules30.indexes]),
        (31, [AuditIndex31.index]),
        (32, [TagKeys32.keys]),
        (33, [FormerNames33.people]),
        (34, [Sealed34.columns]),
        (35, [People35.versions]),
        (36, [Entities36.names]),
        (37, [Sessions37.places]),
        (38, [Passkeys38.places]),
        (39, [Reasons39.words]),
        (40, [Hours40.start]),
        (41, [Wishes41.words]),
        (42, [Leavers42.automations]),
        (43, [Commands43.open]),
        (44, [Journal44.journal]),
        (45, [PhoneAsks45.asks]),
        (46, [GuestKeys46.keys]),
        (47, [Commands47.means]),
        (48, [AccessChanges48.changes]),
        (49, [Presence49.passes]),
        (50, [SessionKeys50.keys]),
        (51, [WaysIn51.entities, WaysIn51.happenings]),
        (52, [WaysIn52.memory]),
        (53, [Aliases53.aliases]),
        (54, [PresenceSources54.sources]),
        (55, [Reach55.reach]),
        (56, [Looks56.looks]),
        (57, [Preferences57.answerers, Preferences57.brightness]),
        (58, [Runs58.runs]),
        (59, [Zones59.offsets]),
        (60, [Pictures60.problems]),
        (61, [Webhooks61.webhooks]),
    ]
}

/// The database was written by a newer hub.
struct SchemaTooNewError: Error, CustomStringConvertible {
    var description: String { "This house was last opened by a newer Cardea. Install that version or newer; nothing was changed." }
}
