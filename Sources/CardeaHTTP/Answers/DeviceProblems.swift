import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes

/// What can be wrong with batches and scenes, as status and code.
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
        case .name(let problem): .validation("name", problem.sentence)
        case .icon: .validation("icon", "has 1 to 64 characters that can be shown")
        case .size: .validation("actions", "has 1 to \(Batches.limit) actions")
        case .action(let place, let refusal): .action(at: place, Problem(refusal))
        case .contradiction: .validation("actions", "asks the same of one device with two different values")
        case .full: Problem(.conflict, "conflict", "The house has as many scenes as it can keep. Remove one first.")
        case .stale(let scene): .stale(SceneAnswer(scene), version: scene.version)
        }
    }

    /// One action of several is wrong; a right that is lacking stays one.
    private static func action(at place: Int, _ problem: Problem) -> Problem {
        var problem = problem
        problem.details["field"] = .string("actions.\(place)")
        problem.message = "actions.\(place): \(problem.message)"
        if problem.status == .notFound { problem.status = .badRequest }
        return problem
    }
}
