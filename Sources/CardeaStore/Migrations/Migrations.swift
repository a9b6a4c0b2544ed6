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
                InitialSchema1.journal, InitialSchema1.house, InitialSchema1.people, InitialSchema1.sessions, InitialSchema1.devices,
                InitialSchema1.guests,
                InitialSchema1.commands, InitialSchema1.safeguards,
            ]
        ),
        (
            2,
            [
                RoomsScenesReadings2.scenes, RoomsScenesReadings2.rooms, RoomsScenesReadings2.house, RoomsScenesReadings2.descriptions,
                RoomsScenesReadings2.readings, RoomsScenesReadings2.preferences,
            ]
        ),
        (3, [Sessions3.sessions, Sessions3.passkeys, Sessions3.apiTokens]),
        (4, [AuditLog4.plain, AuditLog4.keys, AuditLog4.entries]),
        (5, [ResourceVersions5.versions, ResourceVersions5.movements, ResourceVersions5.integrations, ResourceVersions5.rooms]),
        (6, [Indexes6.indexes]),
        (7, [GuestKeys7.keys]),
        (8, [Phones8.sessions, Phones8.phones]),
        (9, [Events9.incidents, Events9.events, Events9.upkeep, Events9.tokens]),
        (10, [Cameras10.cameras]),
        (11, [Notices11.notices, Notices11.pushes]),
        (12, [EventDescriptions12.descriptions]),
        (13, [Tags13.buttons, Tags13.tags]),
        (14, [ButtonPublishing14.buttons, ButtonPublishing14.tags]),
        (15, [Mind15.happenings, Mind15.mind]),
        (16, [Memories16.memories, Memories16.notices]),
        (17, [Interviews17.interviews]),
        (18, [Twins18.twins]),
        (19, [Automations19.automations, Automations19.presence, Automations19.notices]),
        (20, [AuditProofs20.proofs]),
        (21, [Backups21.backups, Backups21.tags]),
        (22, [AuditSearch22.marks]),
        (23, [Retention23.retention, Retention23.rooms]),
        (24, [ErasureJobs24.jobs, ErasureJobs24.erasures]),
        (25, [HouseKeys25.keys]),
        (26, [Maintenance26.tasks, Maintenance26.history, Maintenance26.notices]),
        (27, [ClockTrust27.mark, ClockTrust27.gone]),
        (28, [SealedColumns28.columns, SealedColumns28.words]),
        (29, [Replicas29.replicas, Replicas29.confirmations, Replicas29.tokens]),
        (30, [RuleHistoryIndex30.indexes]),
        (31, [AuditSearchIndex31.index]),
        (32, [TagKeys32.keys]),
        (33, [PreviousNames33.people]),
        (34, [RemainingPlaintext34.columns]),
        (35, [PersonVersions35.versions]),
        (36, [EntityNames36.names]),
        (37, [SessionAddressMarks37.places]),
        (38, [PasskeyChallengeMarks38.places]),
        (39, [SealedReasons39.words]),
        (40, [HourlyMeans40.start]),
        (41, [SealedPreferences41.words]),
        (42, [RemovedPersonTriggers42.automations]),
        (43, [OpenCommandIndex43.open]),
        (44, [JournalSequence44.journal]),
        (45, [GuestPairingRequests45.asks]),
        (46, [GuestKeyAlgorithms46.keys]),
        (47, [CommandTrigger47.means]),
        (48, [AccessChanges48.changes]),
        (49, [GuestPasskeys49.passes]),
        (50, [SessionKeys50.keys]),
        (51, [WaysIn51.entities, WaysIn51.happenings]),
        (52, [WayInMemory52.memory]),
        (53, [DeviceAliases53.aliases]),
        (54, [PresenceSources54.sources]),
        (55, [EntityAvailability55.reach]),
        (56, [InvalidPassReads56.looks]),
        (57, [ApproversAndBrightness57.answerers, ApproversAndBrightness57.brightness]),
        (58, [AutomationRunResults58.runs]),
        (59, [TimeZoneNames59.offsets]),
        (60, [EventPictureErrors60.problems]),
        (61, [IncomingWebhooks61.webhooks]),
    ]
}

/// The database was written by a newer hub.
struct SchemaTooNewError: Error, CustomStringConvertible {
    var description: String { "This house was last opened by a newer Cardea. Install that version or newer; nothing was changed." }
}
