import CardeaHub

extension DeviceBackend {
    /// Reads the health until it is as expected; an integration cannot notify.
    public func health(until what: String, _ isSo: (IntegrationHealth) -> Bool) async throws -> IntegrationHealth {
        // A guard against hanging; it promises no speed.
        let deadline = ContinuousClock.now + .seconds(120)
        while true {
            let health = await health()
            if isSo(health) { return health }
            guard ContinuousClock.now < deadline else {
                throw HealthWaitError(description: "waited in vain until \(what); it was \(health)")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// The expected health was not reached.
private struct HealthWaitError: Error, CustomStringConvertible {
    let description: String
}
