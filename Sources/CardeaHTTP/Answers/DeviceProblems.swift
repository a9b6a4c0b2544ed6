import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// What can be wrong with batches, scenes, rooms and preferences, as status and code.
extension Problem {
    static func batches(_ problem: Batches.Problem) -> Problem {
        switch problem {
        case .size: .validation("devices", "names 1 to \(Batches.limit) actions")
        case .contradiction(let id):
            .validation("devices", "asks the same of \(id.prefix(64)) with two different values")
        }
    }

    static func scenes(_ problem: Scenes.Problem) -> Problem {
        switch problem {
        case .notFound: Problem(.notFound, "scene_not_found", "There is no such scene.")
        case .name(let problem): .name(problem, field: "name")
        case .icon: .validation("icon", "has 1 to 64 characters that can be shown")
        case .size: .validation("actions", "has 1 to \(Batches.limit) actions")
        case .action(let place, let refusal): .action(at: place, Problem(refusal))
        case .contradiction: .validation("actions", "asks the same of one device with two different values")
        case .full: Problem(.conflict, "conflict", "The house has as many scenes as it can keep. Remove one first.")
        case .stale(let scene): .stale(SceneAnswer(scene), version: scene.version)
        }
    }

    static func rooms(_ problem: Rooms.Problem) -> Problem {
        switch problem {
        case .notFound: Problem(.notFound, "room_not_found", "There is no such room.")
        case .field(let problem): .field(problem)
        case .full: Problem(.conflict, "conflict", "The house has as many rooms as it can keep. Remove one first.")
        case .stale(let room): .stale(RoomDescriptionAnswer(room), version: room.version)
        }
    }

    static func house(_ problem: House.Problem) -> Problem {
        switch problem {
        case .field(let problem): .field(problem)
        case .unknownTimeZone: .validation("time_zone", "is not an IANA time zone such as Europe/Berlin")
        case .stale(let facts): .stale(HousePreferencesBody(facts.preferences), version: facts.version)
        }
    }

    static func readings(_ problem: Readings.Problem) -> Problem {
        switch problem {
        case .noDevice: command(.deviceNotFound)
        case .noEntity: .validation("entity_id", "is no sensor of this device")
        case .entityRequired(let ids): command(.entityRequired(ids))
        case .span: .validation("from", "comes before to")
        }
    }

    static func preferences(_ problem: PeoplePreferences.Problem) -> Problem {
        switch problem {
        case .field(let problem): .field(problem)
        case .displayTooLarge: .validation("display_preferences_by_room", "has at most 16 KiB")
        case .stale(let preferences): .stale(PreferencesAnswer(preferences), version: preferences.version)
        }
    }

    static func field(_ problem: FieldProblem) -> Problem {
        switch problem {
        case .name(let field, let problem): return .name(problem, field: field)
        case .range(let field, let range):
            let (low, high) = (JSONValue.number(range.lowerBound).text, JSONValue.number(range.upperBound).text)
            var problem = Problem.validation(field, "is \(low) to \(high)")
            problem.details["minimum"] = .number(range.lowerBound)
            problem.details["maximum"] = .number(range.upperBound)
            return problem
        case .tooMany(let field, let limit): return .validation(field, "has at most \(limit) entries")
        }
    }

    /// Seed 001's three errors of a name, with the one it is.
    static func name(_ problem: Name.Problem, field: String, limit: Int = Name.limit) -> Problem {
        var answer = Problem.validation(field, problem == .tooLong ? "has at most \(limit) characters" : problem.sentence)
        answer.details["reason"] = .string(problem.rawValue)
        return answer
    }

    /// One action of several is wrong; a right that is lacking stays one.
    private static func action(at place: Int, _ problem: Problem) -> Problem { ofBody("actions.\(place)", problem) }

    /// What a device refuses of a body is that field's fault, whatever is wrong with it.
    static func ofBody(_ field: String, _ problem: Problem) -> Problem {
        var problem = problem
        problem.details["field"] = .string(field)
        problem.message = "\(field): \(problem.message)"
        if problem.status == .notFound { problem.status = .badRequest }
        return problem
    }
}

extension JSONValue {
    /// A number as a person writes it: 5, not 5.0.
    fileprivate var text: String { (try? Wire.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
