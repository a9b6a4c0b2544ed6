import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// Errors of scenes, rooms and preferences, as status and code.
extension APIResponseError {
    static func scenes(_ problem: Scenes.SceneError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "scene_not_found", "There is no scene with this id. Reload the list of scenes.")
        case .name(let problem): .name(problem, field: "name")
        case .icon: .validation("icon", "must have 1 to 64 visible characters")
        case .size: .validation("actions", "must have 1 to \(CommandBatches.limit) actions")
        case .action(let place, let refusal): .action(at: place, APIResponseError(refusal))
        case .contradiction: .validation("actions", "has two actions for one device with different values. Remove one of them")
        case .full: APIResponseError(.conflict, "conflict", "The house has the maximum number of scenes. Delete one first.")
        case .stale(let scene): .preconditionFailed(SceneAnswer(scene), version: scene.version)
        }
    }

    static func rooms(_ problem: Rooms.RoomError) -> APIResponseError {
        switch problem {
        case .notFound: APIResponseError(.notFound, "room_not_found", "There is no room with this id. Reload the list of rooms.")
        case .field(let problem): .field(problem)
        case .full: APIResponseError(.conflict, "conflict", "The house has the maximum number of rooms. Delete one first.")
        case .stale(let room): .preconditionFailed(RoomDescriptionAnswer(room), version: room.version)
        }
    }

    static func house(_ problem: House.HouseError) -> APIResponseError {
        switch problem {
        case .field(let problem): .field(problem)
        case .unknownTimeZone: .validation("time_zone", "must be an IANA time zone such as Europe/Berlin")
        case .stale(let facts): .preconditionFailed(HousePreferencesBody(facts.preferences), version: facts.version)
        }
    }

    static func readings(_ problem: Readings.ReadingError) -> APIResponseError {
        switch problem {
        case .noDevice: refusal(.deviceNotFound, in: .hub)
        case .noEntity: .validation("entity_id", "must be a sensor of this device")
        case .entityRequired(let ids): refusal(.entityRequired(ids), in: .hub)
        case .span: .validation("from", "must be before to")
        }
    }

    static func preferences(_ problem: PeoplePreferences.PreferenceError) -> APIResponseError {
        switch problem {
        case .field(let problem): .field(problem)
        case .displayTooLarge: .validation("display_preferences_by_room", "must have at most 16 KiB")
        case .stale(let preferences): .preconditionFailed(PreferencesAnswer(preferences), version: preferences.version)
        }
    }

    static func field(_ problem: FieldError) -> APIResponseError {
        switch problem {
        case .name(let field, let problem): return .name(problem, field: field)
        case .range(let field, let range):
            let (low, high) = (JSONValue.number(range.lowerBound).text, JSONValue.number(range.upperBound).text)
            var problem = APIResponseError.validation(field, "must be from \(low) to \(high)")
            problem.details["minimum"] = .number(range.lowerBound)
            problem.details["maximum"] = .number(range.upperBound)
            return problem
        case .tooMany(let field, let limit): return .validation(field, "must have at most \(limit) entries")
        }
    }

    /// Seed 001's three errors of a name, with the one that applies.
    static func name(_ problem: Name.NameError, field: String, limit: Int = Name.limit) -> APIResponseError {
        var answer = APIResponseError.validation(field, problem == .tooLong ? "must have at most \(limit) characters" : problem.sentence)
        answer.details["reason"] = .string(problem.rawValue)
        return answer
    }

    /// One action of several is wrong; a right that is lacking stays one.
    private static func action(at place: Int, _ problem: APIResponseError) -> APIResponseError { inField("actions.\(place)", problem) }

    /// Reports a device's error about a body as an error of that field, whatever the cause.
    static func inField(_ field: String, _ problem: APIResponseError) -> APIResponseError {
        var problem = problem
        problem.details["field"] = .string(field)
        problem.message = "\(field): \(problem.message)"
        if problem.status == .notFound { problem.status = .badRequest }
        return problem
    }
}

extension JSONValue {
    /// A number as a person writes it: 5, not 5.0.
    fileprivate var text: String { (try? WireFormat.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
