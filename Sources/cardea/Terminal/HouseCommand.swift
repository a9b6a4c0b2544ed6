import ArgumentParser
import CardeaAPI
import CardeaClient
import CardeaClientBonjour
import CardeaClientNIO
import Foundation

/// A command that speaks to the house. Its file holds its options and its `run(in:)`.
protocol HouseCommand: AsyncParsableCommand {
    var output: OutputOptions { get }
    func run(in context: CommandContext) async throws
}

extension HouseCommand {
    func run() async throws {
        let shown = Output(json: output.json)
        let file = ConfigurationFolder().credentialStore(warn: shown.note)
        var known = StoredCredentials()
        do {
            let stored = try await file.read()
            known = stored
            let pins = stored.pins
            let (routes, finder) = (stored.routes, BonjourFinder())
            try await withNIOTransport(pins: pins) { transport in
                let routed = RoutedTransport(transport, pins: pins, routes: routes, finder: finder)
                let context = CommandContext(
                    credentialStore: file, credentials: stored, output: shown, transport: ChangeTrackingTransport(routed), pins: pins,
                    prompt: Prompt(),
                    routes: routes, finder: finder)
                let problem: CommandLineError?
                do throws(CommandLineError) {
                    try await context.run(self)
                    problem = nil
                } catch { problem = error }
                await context.storeRoutes()
                if let problem { throw problem }
            }
        } catch {
            throw CommandLineError(any: error, words: RefusalText(CommandContext.clock(known)))
        }
    }
}
