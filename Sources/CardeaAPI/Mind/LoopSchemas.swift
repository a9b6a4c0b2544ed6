import CardeaModel

extension Schema {
    fileprivate static let loop = enumeration(["house"])
    fileprivate static let milliseconds = number(0...1e12).about("Milliseconds")
}

extension LoopsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["active_loops": .integer(from: 0), "loops": .list(of: .of(LoopAnswer.self))])
}

extension LoopAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "id": .id, "name": .text(),
        "status": .enumeration(["inactive", "initializing", "running", "paused", "error", "shutdown", "safe_mode"]),
        "rounds": .integer(from: 0),
        "violations": .integer(from: 0).about("Within the last hour"), "phases": .list(of: .of(LoopPhaseAnswer.self)),
        "metrics": .of(LoopMetricsAnswer.self), "current_phase": .text().orNull, "safe_mode": .text().orNull, "learned_at": .time.orNull,
    ])
}

extension LoopPhaseAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "phase": .enumeration(["sense", "analyze", "feedback", "learn"]), "timeout": .milliseconds,
        "breaker": .enumeration(["closed", "open", "half_open"]), "failures": .integer(from: 0), "metrics": .of(LoopMetricsAnswer.self),
    ])
}

extension LoopMetricsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "runs": .integer(from: 0), "failures": .integer(from: 0), "timeouts": .integer(from: 0), "skipped": .integer(from: 0),
        "longest": .milliseconds, "last": .milliseconds.orNull, "mean": .milliseconds.orNull,
    ])
}

extension TriggerLoopBody: SchemaRepresentable {
    public static let schema = Schema.body(["loop_id": .loop], optional: ["parameters": .of(LoopParametersBody.self)])
    public static let example: JSONValue? = ["loop_id": "house"]
}

extension LoopParametersBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: ["leave_safe_mode": .boolean])
}

extension TriggeredLoopAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "loop_id": .id, "trigger_id": .id, "status": .enumeration(["initiated"]),
        "estimated_completion": .integer(from: 0).about("Milliseconds"),
    ])
}
