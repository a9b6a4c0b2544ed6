import CardeaAPI
import CardeaHub
import CardeaModel
import HTTPTypes
import Hummingbird

/// The bodies of `/api/v1` for batches.
enum BatchResponses {
    static func item(_ body: DeviceActionBody) -> CommandBatches.Item {
        CommandBatches.Item(
            deviceID: body.deviceID, entityID: body.entityID, action: body.action, value: body.value,
            transition: body.transitionTime.map { $0 / 1000 })
    }

    /// The batch at once, or resolved if the caller waits for that.
    static func answer(_ batch: CommandBatches.Outcome, _ request: Request, _ batches: CommandBatches) async throws -> Response {
        if request.prefersAsyncResponse {
            return try .encoding(answer(batch), status: .accepted, isReplay: batch.isReplay)
        }
        return try .encoding(answer(try await batches.outcome(of: batch)), isReplay: batch.isReplay)
    }

    private static func answer(_ batch: CommandBatches.Outcome) -> BatchAnswer {
        BatchAnswer(batchID: batch.id, results: batch.results.map(item))
    }

    private static func item(_ result: CommandBatches.ItemResult) -> BatchAnswer.Item {
        switch result.status {
        case .refused(let refusal):
            let problem = APIResponseError(refusal)
            return BatchAnswer.Item(
                deviceID: result.deviceID, entityID: result.entityID, action: result.action, status: "refused", code: problem.code,
                message: problem.message, details: problem.details.isEmpty ? nil : problem.details)
        case .command(let command):
            let problem = APIResponseError.outcome(of: command, in: .hub)
            return BatchAnswer.Item(
                deviceID: command.deviceID, entityID: command.entityID, action: command.verb.rawValue, status: command.status.rawValue,
                code: problem?.code, message: problem?.message, commandID: command.id, newState: command.newState,
                executionTime: command.executionTime)
        }
    }
}
