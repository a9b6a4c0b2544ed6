import CardeaModel

extension Schema {
    fileprivate static let status = enumeration(["active", "paused", "completed", "cancelled"])
    fileprivate static let phase = enumeration([
        "introduction", "discovery", "classification", "configuration", "twin_creation", "completed",
    ])
    fileprivate static let candidateIDs = list(of: id, 0...ConfirmCandidatesBody.maxCandidates)
}

extension StartInterviewBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: ["house_id": .text().about("Ignored; a hub serves one house")])
}

extension InterviewMessageBody: SchemaRepresentable {
    public static let schema = Schema.body(["message": .text(1...maxLength)])
    public static let example: JSONValue? = ["message": "There are two Hue lamps over the sofa and a Yale lock at the back."]
}

extension ConfirmCandidatesBody: SchemaRepresentable {
    public static let schema = Schema.body(
        optional: [
            "candidate_ids": .candidateIDs.about("Candidates to confirm; all open ones if neither list is given"),
            "reject": .candidateIDs.about("Candidates to reject"),
        ])
    public static let example: JSONValue? = ["candidate_ids": ["candidate_1"]]
}

extension InterviewStartedAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "interview_id": .id, "status": .status, "current_phase": .phase, "ai_message": .text(), "session_started_at": .time,
        "version": .version,
    ])
}

extension InterviewReplyAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "ai_response": .text(), "status": .status, "current_phase": .phase,
        "discovered_candidates": .list(of: .of(CandidateAnswer.self)).about("New or changed candidates"),
        "auto_discovery_results": .of(DiscoveryResults.self), "created_devices": .list(of: .of(CreatedDeviceAnswer.self)),
        "progress": .of(InterviewProgress.self), "version": .version,
    ])
}

extension DiscoveryResults: SchemaRepresentable {
    private static let names = Schema.list(of: .text())
    public static let schema = Schema.answer(["mdns": names, "mqtt": names, "home-assistant": names, "virtual": names])
}

extension CandidateAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "id": .id, "status": .enumeration(["pending", "needs_info", "confirmed", "rejected"]),
        "description": .text(example: "two Hue lamps over the sofa in the living room").about("The person's words"),
        "detected_brand": .text().orNull,
        "detected_function": .text(example: "light").orNull, "detected_model": .text().orNull, "room": .text().orNull,
        "count": .integer(from: 1), "confidence": .number(0...1), "possible_integrations": .list(of: .text()),
        "matched": .list(of: .text()).about("The names of discovered devices that match"),
        "missing": .list(of: .enumeration(["kind", "count", "room", "connection"])).about("The open questions"),
        "created_device_ids": .list(of: .deviceID).about("The devices that it became"),
    ])
}

extension CreatedDeviceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "candidate_id": .id, "device_id": .deviceID, "name": .text(), "status": .enumeration(["connected", "pending_auth", "existing"]),
        "next_steps": .list(of: .text()),
    ])
}

extension InterviewProgress: SchemaRepresentable {
    public static let schema = Schema.answer([
        "total_devices_mentioned": .integer(from: 0), "devices_confirmed": .integer(from: 0), "devices_pending": .integer(from: 0),
        "completion_percentage": .integer(0...100),
    ])
}

extension InterviewsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "interviews": .list(of: .of(InterviewSummaryAnswer.self)), "total": .integer(from: 0),
    ])
}

extension InterviewSummaryAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "interview_id": .id, "status": .status, "current_phase": .phase, "session_started_at": .time, "last_activity": .time,
        "progress": .of(InterviewProgress.self),
    ])
}

extension InterviewStatusAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "interview_id": .id, "status": .status, "current_phase": .phase, "progress": .of(InterviewProgress.self),
        "conversation_summary": .answer(["total_turns": .integer(from: 0), "last_activity": .time]),
        "candidates": .list(of: .of(CandidateAnswer.self)), "notes": .list(of: .of(NoteAnswer.self)), "version": .version,
    ])
}

extension NoteAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "note_id": .id, "text": .text(), "count": .integer(from: 1), "room": .text().orNull, "written_at": .time,
        "superseded_at": .time.orNull, "superseded_because": .text().orNull,
    ])
}

extension InterviewConversationAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "interview_id": .id, "turns": .list(of: .of(TurnAnswer.self)), "total_turns": .integer(from: 0),
    ])
}

extension InterviewConversationAnswer.TurnAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["speaker": .enumeration(["person", "house"]), "text": .text(), "timestamp": .time])
}
