import CardeaAPI
import CardeaHub
import CardeaMind

/// The demo's mind, for the seed's client: the answers that `/api/v1` gives to signed-in people, without a token, by the same handlers and
/// so through the same gate. Their words are the seed's already.
struct DemoMindController: Sendable {
    let hub: Hub
    let mind: Mind
    let resident: Principal

    func addRoutes(to table: RouteTable) {
        let consciousness = MindController(hub: hub, mind: mind)
        table.demo(.showConsciousness, as: resident, consciousness.status)
        table.demo(.showEmotions, as: resident, consciousness.emotions)
        table.demo(.askHouse, as: resident, consciousness.ask)
        let memory = MemoryController(hub: hub, mind: mind)
        table.demo(.listMemories, as: resident, memory.list)
        table.demo(.remember, as: resident, memory.remember)
        let interview = InterviewController(hub: hub, mind: mind)
        table.demo(.startInterview, as: resident, interview.start)
        table.demo(.sayInInterview, as: resident, interview.sendMessage)
        table.demo(.showInterview, as: resident, interview.show)
        let twins = TwinsController(hub: hub, mind: mind)
        table.demo(.listTwins, as: resident, twins.list)
        table.demo(.makeTwin, as: resident, twins.make)
        table.demo(.whatIf, as: resident, PredictionsController(hub: hub, mind: mind).whatIf)
    }
}
