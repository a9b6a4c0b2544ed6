import CardeaAPI
import CardeaHub
import CardeaMind
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// Twins in `/api/v1`'s words.
enum TwinResponses {
    /// The requested ones; an omitted filter matches everything.
    struct Filter {
        private let device: String?
        private let syncStatus: String?
        private let fidelity: String?

        init(_ query: Parameters) throws {
            func word(_ name: String, among words: [String]) throws -> String? {
                guard let word = query[Substring(name)].map(String.init) else { return nil }
                guard words.contains(word) else {
                    throw APIResponseError.validation(name, "must be one of \(words.joined(separator: ", "))")
                }
                return word
            }
            device = query["device_id"].map(String.init)
            syncStatus = try word("sync_status", among: TwinStatus.allCases.map(\.rawValue))
            fidelity = try word("fidelity_level", among: TwinFidelity.allCases.map(\.rawValue))
        }

        func matches(_ twin: TwinAnswer) -> Bool {
            (device ?? twin.deviceID) == twin.deviceID && (syncStatus ?? twin.syncStatus) == twin.syncStatus
                && (fidelity ?? twin.fidelityLevel) == twin.fidelityLevel
        }
    }

    static func draft(_ body: TwinBody) throws -> Twins.Draft {
        let name = body.fidelityLevel ?? TwinFidelity.advanced.rawValue
        guard let fidelity = TwinFidelity(rawValue: name) else {
            throw APIResponseError.validation(
                "fidelity_level", "must be one of \(TwinFidelity.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let kind = body.config?.kind, EntityKind(rawValue: kind) == nil {
            throw APIResponseError.validation(
                "config.kind", "must be one of \(EntityKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return Twins.Draft(deviceID: body.deviceID, fidelity: fidelity, name: body.config?.name, kind: body.config?.kind)
    }

    static func answer(_ twin: Twin, at now: Date) -> TwinAnswer {
        TwinAnswer(
            id: twin.id, deviceID: twin.deviceID, name: twin.name, type: twin.deviceClass.rawValue, fidelityLevel: twin.fidelity.rawValue,
            syncStatus: twin.status(at: now).rawValue, lastSync: twin.lastReportedAt, divergenceScore: twin.divergence(at: now),
            capabilities: twin.capabilities.map(\.rawValue).sorted())
    }

    static func detail(_ sighting: Twins.Snapshot, in lexicon: Lexicon) -> TwinDetailAnswer {
        let (twin, now) = (sighting.twin, sighting.at)
        let desired = twin.desired.sorted { $0.key < $1.key }.flatMap { entityID, wishes in wishes.map { desiredState($0, of: entityID) } }
        var (thermal, problem): (ThermalAnswer?, String?) = (nil, nil)
        switch sighting.thermal {
        case .success(let portrait)?: thermal = self.thermal(portrait)
        case .failure(let lack)?: problem = lack.text(in: lexicon)
        case nil: break
        }
        return TwinDetailAnswer(
            twin: answer(twin, at: now),
            reported: twin.reported.mapValues {
                TwinReportAnswer(
                    kind: $0.kind.rawValue, state: $0.state.value, attributes: $0.state.attributes, at: $0.at,
                    lastReported: $0.last.map { .init(state: $0.value, attributes: $0.attributes) })
            },
            desired: desired, pending: twin.pending(at: now).map { desiredState($0.desired, of: $0.entityID) },
            divergingKeys: twin.divergingKeys(at: now), thermal: thermal, thermalProblem: problem,
            history: sighting.history.mapValues { $0.map { TwinHistoryPoint(at: $0.at, state: $0.state) } })
    }

    private static func desiredState(_ wish: TwinDesiredState, of entityID: String) -> TwinWishAnswer {
        TwinWishAnswer(
            entityID: entityID, action: wish.verb.rawValue, value: wish.value, since: wish.since, until: wish.isReported ? nil : wish.until,
            by: wish.actor)
    }

    private static func thermal(_ portrait: ThermalTwinReport) -> ThermalAnswer {
        let twin = portrait.twin
        return ThermalAnswer(
            roomID: portrait.roomID, timeConstant: EstimateAnswer(twin.timeConstant), heatingRate: EstimateAnswer(twin.heatingRate),
            gain: EstimateAnswer(twin.gain), oneStepError: twin.oneStepError, freeRunError: twin.freeRunError,
            hoursOfReadings: twin.readings,
            measured: portrait.measured.map { .init(at: $0.at, inside: $0.inside, outside: $0.outside) },
            fitted: portrait.fitted.map { .init(at: $0.at, value: $0.value) },
            forecast: portrait.forecast.map {
                let figure = EstimateAnswer($0.value)
                return .init(at: $0.at, value: figure.value, low: figure.low, high: figure.high)
            })
    }
}
