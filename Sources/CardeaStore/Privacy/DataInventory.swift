import CardeaModel

/// All that the house keeps.
public enum DataInventory {
    public static let policies: [TableRetentionPolicy] = people + signIn + doors + mind + events + house + upkeep

    public static func policy(_ table: String) -> TableRetentionPolicy? { byTable[table] }

    private static let byTable = policies.reduce(into: [String: TableRetentionPolicy]()) { $0[$1.table] = $1 }

    private static let people: [TableRetentionPolicy] = [
        TableRetentionPolicy(
            "people", .account, .person("id"), .untilRemoved,
            facts: """
                id username name former_names role can_invite_guests disabled created_at last_seen_at removed_at is_home presence_at version
                """,
            personal: "username name former_names",
            secrets: "password_hash passkey_handle username_mark"),
        TableRetentionPolicy(
            "preferences", .account, .person("person_id"), .untilRemoved,
            facts: "person_id temperature_unit energy_cost_rate water_cost_rate display version", personal: "display", name: "person_id"),
        TableRetentionPolicy(
            "presence_sources", .account, .person("person_id"), .untilRemoved, facts: "person_id integration source linked_at heard_at"),
        TableRetentionPolicy(
            "person_invitations", .signIn, .person("person_id"), .days(.activity, when: "coalesce(accepted_at, expires_at) < :border"),
            facts: "person_id expires_at accepted_at", secrets: "hash"),
        TableRetentionPolicy(
            "notice_preferences", .notices, .person("person_id"), .untilRemoved,
            facts: """
                person_id is_on kinds muted quiet_from quiet_to quiet_zone lets_critical_through cooldown escalates_after escalates_to version
                """, personal: "muted", name: "person_id"),
        TableRetentionPolicy(
            "notices", .notices, .person("person_id"), .days(.notices, when: "created_at < :border"),
            facts: """
                id person_id kind subject incident place place_name happened_at created_at is_quiet acknowledged_at escalated_from \
                escalates_at words
                """, personal: "words"),
        TableRetentionPolicy(
            "notice_deliveries", .notices, .row(of: "notices", by: "notice_id"), .withRow,
            facts: "id notice_id subscription_id service state tries due_at status settled_at"),
        TableRetentionPolicy(
            "push_subscriptions", .notices, .person("person_id"), .withRow,
            facts: "id person_id session_id way service created_at changed_at failures", secrets: "hash sealed"),
    ]

    private static let signIn: [TableRetentionPolicy] = [
        TableRetentionPolicy(
            "sessions", .signIn, .person("person_id"),
            // A session that was unused for long is over, too.
            .days(
                .activity,
                when: "coalesce(ended_at, min(expires_at, last_used_at + \(Int64(SessionLifetime.idle * 1000)))) < :border"),
            facts: """
                id person_id created_at expires_at last_used_at ended_at end_reason device remote is_local signed_in_by proven_at proven_by
                """, personal: "device remote", secrets: "remote_mark key_thumbprint"),
        TableRetentionPolicy(
            "refresh_tokens", .signIn, .row(of: "sessions", by: "session_id"), .withRow,
            facts: "session_id expires_at used_at", secrets: "hash successor_hash successor_sealed"),
        TableRetentionPolicy(
            "passkeys", .signIn, .person("person_id"), .days(.activity, when: "ended_at < :border"),
            facts: """
                id person_id sign_count rp_id name aaguid transports is_backup_eligible is_backed_up created_at last_used_at ended_at end_reason
                """, personal: "name", secrets: "credential_id public_key"),
        TableRetentionPolicy(
            "passkey_challenges", .signIn, .row(of: "sessions", by: "session_id"), .shortLived,
            facts: "purpose session_id rp_id made_at expires_at", secrets: "hash remote_mark"),
        TableRetentionPolicy(
            "recovery_codes", .signIn, .person("person_id"), .days(.activity, when: "used_at < :border"),
            facts: "person_id made_at used_at", secrets: "hash"),
        TableRetentionPolicy(
            "api_tokens", .signIn, .person("person_id"), .days(.activity, when: "coalesce(revoked_at, expires_at) < :border"),
            facts: "id person_id name role items created_at expires_at revoked_at records_events", personal: "name", secrets: "hash"),
        TableRetentionPolicy(
            "access_changes", .signIn, .mentioned(["person_id", "subject"], except: "0"), .days(.activity, when: "at < :border"),
            facts: "thing subject person_id at"),
        TableRetentionPolicy(
            "phones", .signIn, .person("person_id"), .withRow,
            facts: "id person_id session_id name model platform paired_at", personal: "name model", secrets: "device_hash"),
        TableRetentionPolicy(
            "phone_pairings", .signIn, .person("confirmed_by"), .shortLived,
            facts: "id name model platform remote is_local asked_at expires_at wrong_tries confirmed_by confirmed_in confirmed_at",
            personal: "name model remote", secrets: "code_hash secret_hash device_hash"),
        TableRetentionPolicy("signing_keys", .signIn, .household, .untilRemoved, facts: "kid created_at retired_at", secrets: "sealed"),
    ]

    private static let doors: [TableRetentionPolicy] = [
        TableRetentionPolicy(
            "commands", .commands, .principal("principal"), .days(.activity, when: "finished_at < :border"),
            // A running command continues to its end, without its person.
            erased: .blanked(
                """
                principal = iif(guest_id IS NULL, 'person:erased', 'guest:erased'), grant_id = iif(guest_id IS NULL, 'role:erased', 'guest:erased'),
                guest_id = NULL, idempotency_key = NULL, fingerprint = NULL, spoken = NULL, remote = NULL, request_id = NULL
                """),
            facts: """
                id principal integration device_id entity_id verb spoken value transition guest_id grant_id is_way_in risk status asks \
                accepted_at not_after answer_by finished_at reason use_returned new_state use_number use_limit remote request_id means \
                moving_since
                """, personal: "remote reason", secrets: "idempotency_key fingerprint"),
        TableRetentionPolicy(
            "guests", .passes, .person("created_by"), .days(.activity, when: "coalesce(revoked_at, expires_at) < :border"),
            facts: """
                id name created_by created_at starts_at expires_at schedule use_limit use_count requires_approval approval_asked_at approved_at \
                rejected_at asks_each_time local_only presence paired_at last_used_at suspended_at revoked_at version
                """, personal: "name"),
        TableRetentionPolicy(
            "guest_items", .passes, .row(of: "guests", by: "guest_id"), .withRow, facts: "guest_id position device_id entity_id actions"),
        TableRetentionPolicy(
            "guest_codes", .passes, .row(of: "guests", by: "guest_id"), .withRow,
            facts: "guest_id kind expires_at redeemed_at scanned_at", secrets: "hash sealed"),
        TableRetentionPolicy(
            "guest_tokens", .passes, .row(of: "guests", by: "guest_id"), .withRow, facts: "guest_id created_at replaced_at verifies",
            secrets: "hash device_id public_key"),
        TableRetentionPolicy(
            "guest_passkeys", .passes, .row(of: "guests", by: "guest_id"), .withRow,
            facts: "guest_id sign_count rp_id is_backup_eligible made_at", secrets: "credential_id public_key"),
        TableRetentionPolicy(
            "phone_asks", .passes, .row(of: "guests", by: "guest_id"), .withRow,
            facts: "id guest_id number asked_at approved_at rejected_at", secrets: "phone"),
        TableRetentionPolicy("guest_looks", .passes, .row(of: "guests", by: "guest_id"), .withRow, facts: "guest_id day looks"),
        TableRetentionPolicy(
            "journal", .activity, .mentioned(["subject", "data"], except: "kind = 'person_erased'"), .managedByOwner([.activity]),
            erased: .blanked("subject = NULL, data = '{}'"), facts: "seq at kind device_id subject data",
            personal: "data", name: "seq"),
        TableRetentionPolicy(
            "audit", .audit, .sealed, .managedByOwner([.audit]), facts: "seq version at event_key actor subject hash",
            secrets: "event actor_sealed subject_sealed device result command action"),
        TableRetentionPolicy(
            "audit_index", .audit, .sealed, .withRow, facts: "seq at actor subject", secrets: "device result command action"),
        TableRetentionPolicy(
            "audit_keys", .audit, .sealed, .untilRemoved, facts: "id purpose created_at retired_at destroyed_at", secrets: "subject wrapped"
        ),
        TableRetentionPolicy("audit_segments", .audit, .household, .untilRemoved, facts: "number root hash last_at dropped_at"),
        TableRetentionPolicy("audit_checkpoints", .audit, .household, .untilRemoved, facts: "size at root signature"),
        TableRetentionPolicy("audit_signer", .audit, .household, .untilRemoved, facts: "only public", secrets: "key"),
        TableRetentionPolicy(
            "buttons", .tags, .household, .untilRemoved,
            facts: """
                id number title device_id entity_id verb value transition is_enabled answers_tags countdown version action_version created_at \
                changed_at publication
                """, secrets: "secret publication_keys"),
        TableRetentionPolicy(
            "tags", .tags, .household, .untilRemoved,
            facts: """
                id kind button_id button_version label uid created_at last_used_at alarmed_at state replaces written_at unsynced_at
                """, secrets: "keys chip next_keys"),
        TableRetentionPolicy("tag_counters", .tags, .household, .untilRemoved, facts: "counter", secrets: "chip"),
        TableRetentionPolicy(
            "tag_settings", .tags, .household, .untilRemoved, facts: "only is_on control open version next_number", secrets: "master"),
        TableRetentionPolicy(
            "live_links", .tags, .person("made_by"), .shortLived,
            // Its use is remembered for as long as it would be valid, and an unused one can no longer be pressed.
            erased: .blanked("made_by = 'person:erased'"), facts: "button_id made_by button_version expires_at used_at", secrets: "digest"),
    ]

    private static let mind: [TableRetentionPolicy] = [
        TableRetentionPolicy(
            "happenings", .mind, .principal("actor"), .managedByOwner([.activity]), erased: .blanked("actor = NULL"),
            facts: "number at kind device_id entity_id actor value status words source report", personal: "words", name: "source"),
        TableRetentionPolicy(
            "memories", .mind, .personKey("person"), .managedByOwner([.memories]),
            facts: """
                number id created_at last_accessed memory_type category importance title content details source confidence access_count tags \
                related_devices person experience is_pinned version
                """, personal: "title content details tags experience"),
        TableRetentionPolicy("memory_words", .mind, .row(of: "memories", by: "rowid"), .withRow, facts: "words"),
        TableRetentionPolicy(
            "mind_sheets", .mind, .household, .managedByOwner([.memories]), facts: "name content changed_at", personal: "content",
            name: "name"),
        TableRetentionPolicy(
            "interviews", .mind, .person("person_id"),
            .days(.activity, when: "status IN ('completed', 'cancelled') AND changed_at < :border"),
            facts: "id person_id status phase mentioned confirmed version content started_at changed_at", personal: "content", key: "id"),
        TableRetentionPolicy("twins", .mind, .household, .untilRemoved, facts: "device_id fidelity name kind made_at"),
        TableRetentionPolicy(
            "automations", .automations, .person("owner"), .untilRemoved,
            facts: "id name owner is_on triggers conditions actions off_because version created_at changed_at",
            personal: "name triggers conditions actions"),
        TableRetentionPolicy(
            "automation_runs", .automations, .row(of: "automations", by: "automation_id"), .days(.activity, when: "at < :border"),
            facts: "number automation_id at trigger_place happening result is_dry outcomes unknown", personal: "outcomes", name: "number"),
    ]

    private static let events: [TableRetentionPolicy] = [
        TableRetentionPolicy(
            "events", .events, .principal("recorded_by"), .managedByOwner([.events]),
            // The fact that something was seen at the door belongs to the household; its reporter does not, nor does the reporter's
            // picture.
            erased: .blanked("recorded_by = 'person:erased', picture_key = NULL, picture_bytes = 0"),
            facts: """
                key id source camera_id place camera_name type confidence description incident_id picture_bytes picture_problem recorded_by created_at \
                described_by
                """, personal: "description", secrets: "picture_key"),
        TableRetentionPolicy(
            "incidents", .events, .household, .managedByOwner([.events]), facts: "id place started_at ended_at has_person has_ring"),
        TableRetentionPolicy("event_days", .events, .household, .managedByOwner([.events]), facts: "day place type events picture_bytes"),
        TableRetentionPolicy("event_words", .events, .household, .managedByOwner([.events]), facts: "description type camera_name place"),
        TableRetentionPolicy(
            "cameras", .events, .household, .untilRemoved,
            facts: """
                id name is_enabled kind address has_credentials detects_motion sensitivity zones version created_at changed_at last_event_at
                """, secrets: "sealed"),
        TableRetentionPolicy(
            "webhooks", .events, .household, .days(.activity, when: "revoked_at < :border"),
            facts: "id name make camera_id type created_at last_used_at revoked_at", secrets: "hash"),
    ]

    private static let house: [TableRetentionPolicy] = [
        TableRetentionPolicy(
            "house", .house, .household, .untilRemoved,
            facts: """
                id house_id name time_zone claimed_at floors default_temperature saves_energy security_level quiet_from quiet_to is_on_vacation \
                asks_answered_by version revision
                """, secrets: "claim_hash"),
        TableRetentionPolicy(
            "rooms", .house, .household, .untilRemoved,
            facts: """
                id name position kind floor square_footage ceiling_height window_count door_count preferred_temperature preferred_humidity \
                default_brightness color_temperature automatic_light motion_light activities version found_name
                """),
        TableRetentionPolicy("removed_rooms", .house, .household, .untilRemoved, facts: "id removed_at"),
        TableRetentionPolicy(
            "devices", .house, .household, .untilRemoved,
            facts: """
                id integration name name_is_given device_class room_id connection manufacturer model status is_security_device \
                is_guest_accessible attributes revision state_changed_at last_seen_at withdrawn_at description discovery hub_id room_is_given \
                version
                """),
        TableRetentionPolicy(
            "entities", .house, .household, .withRow,
            facts:
                "id device_id position kind name device_class unit is_enabled verbs notice state attributes is_way_in unique_id icon category wiring is_current reported_at is_assumed",
            personal: "wiring"),
        TableRetentionPolicy("command_topics", .house, .household, .withRow, facts: "entity_id topic parent"),
        TableRetentionPolicy("ways_in", .house, .household, .untilRemoved, facts: "entity_id marked_at"),
        TableRetentionPolicy(
            "known_ways_in", .house, .household, .untilRemoved,
            facts: "entity_id since is_own is_security shares is_released wiring announced changed_at hold", personal: "wiring announced",
            name: "entity_id"),
        TableRetentionPolicy("held_topics", .house, .household, .withRow, facts: "topic entity_id parent"),
        TableRetentionPolicy("aliases", .house, .household, .untilRemoved, facts: "kind alias id since"),
        TableRetentionPolicy("scenes", .house, .household, .untilRemoved, facts: "id name icon version created_at changed_at"),
        TableRetentionPolicy(
            "scene_actions", .house, .household, .withRow, facts: "scene_id position device_id entity_id verb value transition"),
        TableRetentionPolicy(
            "maintenance_tasks", .maintenance, .household, .untilRemoved,
            facts: """
                id title category priority recurrence starts_on due_on device_id room_id notes is_predictive told_on done_at version created_at \
                changed_at
                """, personal: "title notes"),
        TableRetentionPolicy(
            "maintenance_history", .maintenance, .person("completed_by"), .days(.maintenance, when: "completed_at < :border"),
            // The fact, the date and the cost belong to the household; the person does not, nor do their notes.
            erased: .blanked("completed_by = NULL, notes = NULL, service_provider = NULL"),
            facts: "number task_id due_on completed_at completed_by cost_minor currency notes service_provider",
            personal: "notes service_provider", name: "number"),
        TableRetentionPolicy("integration_grants", .house, .household, .untilRemoved, facts: "integration allows_lock allows_open"),
        TableRetentionPolicy("sealed_settings", .house, .household, .untilRemoved, facts: "name changed_at", secrets: "sealed"),
        TableRetentionPolicy("push_identity", .notices, .household, .untilRemoved, facts: "only", secrets: "key"),
        TableRetentionPolicy("readings", .readings, .household, .managedByOwner([.readings]), facts: "entity_id at value"),
        TableRetentionPolicy(
            "hourly_readings", .readings, .household, .managedByOwner([.energy, .environment]),
            facts: "entity_id hour low high mean first last used count is_energy start"),
    ]

    private static let upkeep: [TableRetentionPolicy] = [
        TableRetentionPolicy("throttles", .safety, .guesser("subject"), .shortLived, facts: "scope subject failures last_at"),
        TableRetentionPolicy(
            "kept_answers", .safety, .principal("principal"), .shortLived, facts: "principal at", secrets: "key fingerprint sealed"),
        TableRetentionPolicy("notice_cursor", .notices, .household, .untilRemoved, facts: "only seq"),
        TableRetentionPolicy("retention", .privacy, .household, .untilRemoved, facts: "kind days swept_at dropped"),
        TableRetentionPolicy(
            "jobs", .privacy, .person("asked_by"), .days(.notices, when: "finished_at < :border"),
            facts: "id kind person_id asked_by state step done total asked_at finished_at expires_at bytes problem receipt",
            personal: "receipt", secrets: "file_key"),
        TableRetentionPolicy(
            "backups", .privacy, .household, .untilRemoved,
            facts: "only recovery_key good_at good_bytes failed_at failure restored_at restored_from"),
        TableRetentionPolicy(
            "house_keys", .privacy, .household, .untilRemoved, facts: "number place guarded_by made_at", secrets: "mark wrapped"),
        TableRetentionPolicy("column_seal", .privacy, .household, .untilRemoved, facts: "only at"),
        // For as long as there may be a copy of the house that still knows them.
        TableRetentionPolicy("audit_gone", .privacy, .household, .untilRemoved, facts: "name at"),
        TableRetentionPolicy("clock", .house, .household, .untilRemoved, facts: "id sure_at looked_at leapt_at"),
        TableRetentionPolicy("erasures", .privacy, .household, .untilRemoved, facts: "person_id at told confirmed own"),
        TableRetentionPolicy("replicas", .privacy, .row(of: "sessions", by: "session_id"), .withRow, facts: "session_id since"),
        TableRetentionPolicy(
            "owed_confirmations", .privacy, .row(of: "sessions", by: "session_id"), .withRow, facts: "person_id session_id told_at"),
        // Only the holder of such a token can tell whose it was.
        TableRetentionPolicy(
            "erased_tokens", .privacy, .household, .days(.activity, when: "erased_at < :border"), facts: "erased_at", secrets: "hash"),
    ]
}
