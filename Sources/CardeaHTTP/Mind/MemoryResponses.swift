import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Memories and loops in the format of `/api/v1`.
enum MemoryResponses {
    /// Milliseconds that a round of a loop takes at most.
    static let roundDuration = Int((LoopPhase.allCases.reduce(0) { $0 + $1.timeout } * 1000).rounded())

    static func search(_ query: FlatDictionary<Substring, Substring>, at now: Date) throws -> MemorySearch {
        let words = try text(query, "q", 200) ?? ""
        let span = try query["time_range"].map { try MindResponses.span(String($0)) } ?? (words.isEmpty ? 7 * 86_400 : nil)
        let type = try query["memory_type"].map { text in
            guard let type = Memory.Kind(rawValue: String(text)) else {
                throw APIResponseError.validation(
                    "memory_type", "must be one of \(Memory.Kind.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return type
        }
        return MemorySearch(
            words: words, types: type.map { [$0] }, category: try text(query, "category", 100),
            devices: query["device_id"].map { [String($0)] }, from: span.map { now.addingTimeInterval(-$0) },
            limit: try DeviceQuery.number(query, "limit", 1...200) ?? 10)
    }

    private static func text(_ query: FlatDictionary<Substring, Substring>, _ name: String, _ longest: Int) throws -> String? {
        guard let text = query[name[...]] else { return nil }
        guard (1...longest).contains(text.unicodeScalars.count) else {
            throw APIResponseError.validation(name, "must have 1 to \(longest) characters")
        }
        return String(text)
    }

    static func id(named key: String, by principal: Principal) -> String {
        Secret("\(principal.key)\n\(key)").digest.prefix(13).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    static func draft(_ body: RememberBody) -> MemoryDraft {
        MemoryDraft(
            type: Memory.Kind(rawValue: body.type.rawValue) ?? .semantic, category: body.category, importance: body.importance,
            title: body.title, content: body.content, details: body.context ?? [:], tags: body.tags ?? [],
            relatedDevices: body.relatedDevices ?? [], isPinned: body.isPinned ?? false)
    }

    static func change(_ body: ChangeMemoryBody) throws -> MemoryChange {
        var change = MemoryChange()
        change.type = body.memoryType.flatMap { Memory.Kind(rawValue: $0.rawValue) }
        (change.title, change.content, change.category) = (body.title, body.content, body.category)
        (change.importance, change.tags, change.relatedDevices) = (body.importance, body.tags, body.relatedDevices)
        change.isPinned = body.isPinned
        change.correction = try body.correction.map(correction)
        return change
    }

    private static func correction(_ body: HabitCorrectionBody) throws -> MemoryChange.Correction {
        switch (body.shutBy, body.low, body.high, body.hours, body.active, body.relearn) {
        case (let time?, nil, nil, nil, nil, nil): return .correct(.shutBy(time))
        case (nil, let low?, let high?, nil, nil, nil): return .correct(.between(low: low, high: high))
        case (nil, nil, nil, let hours?, let isActive?, nil): return .correct(.hours(Set(hours), isActive: isActive))
        case (nil, nil, nil, nil, nil, true?): return .relearn
        default:
            throw APIResponseError.validation(
                "correction", "must have exactly one of: shut_by; low and high; hours and active; relearn: true")
        }
    }

    static func answer(_ recalled: VisibleMemory) -> MemoryAnswer {
        let memory = recalled.memory
        return MemoryAnswer(
            memoryID: memory.id, memoryType: memory.type.rawValue, category: memory.category, importance: memory.importance,
            title: memory.title, content: memory.content, details: memory.details, source: memory.source.rawValue,
            confidence: memory.confidence, accessCount: memory.accessCount, tags: memory.tags, relatedDevices: memory.relatedDevices,
            isPinned: memory.isPinned, mayChange: recalled.canChange, version: recalled.version, createdAt: memory.createdAt,
            lastAccessed: memory.lastAccessed, toldBy: recalled.authorName,
            experience: memory.experience.map { ExperienceAnswer(outcome: $0.outcome.rawValue, impactScore: $0.impactScore) },
            correction: recalled.correction.map(answer))
    }

    private static func answer(_ corrected: AttributedHabitCorrection) -> CorrectionAnswer {
        switch corrected.correction {
        case .forgotten: CorrectionAnswer(forgotten: true, at: corrected.at)
        case .shutBy(let time): CorrectionAnswer(shutBy: time, at: corrected.at)
        case .between(let low, let high): CorrectionAnswer(between: min(low, high)...max(low, high), at: corrected.at)
        case .hours(let hours, let isActive): CorrectionAnswer(hours: hours.sorted(), active: isActive, at: corrected.at)
        }
    }

    static func loops(_ status: LoopsStatus) -> LoopsAnswer {
        func milliseconds(_ seconds: TimeInterval) -> Double { (seconds * 1000 * 100).rounded() / 100 }
        func metrics(_ metrics: PhaseMetrics) -> LoopMetricsAnswer {
            LoopMetricsAnswer(
                runs: metrics.runs, failures: metrics.failures, timeouts: metrics.timeouts, skipped: metrics.skipped,
                longest: milliseconds(metrics.longest), last: metrics.last.map(milliseconds), mean: metrics.mean.map(milliseconds))
        }
        return LoopsAnswer(
            activeLoops: status.activeLoops,
            loops: status.loops.map { loop in
                LoopAnswer(
                    id: loop.id, name: loop.name, status: loop.status.rawValue, rounds: loop.rounds, violations: loop.violations,
                    phases: loop.phases.map { phase in
                        LoopPhaseAnswer(
                            phase: phase.phase.rawValue, timeout: milliseconds(phase.timeout), breaker: phase.breaker.rawValue,
                            failures: phase.failures, metrics: metrics(phase.metrics))
                    }, metrics: metrics(loop.metrics), currentPhase: loop.currentPhase?.rawValue, safeMode: loop.safeMode,
                    learnedAt: loop.learnedAt)
            })
    }
}
