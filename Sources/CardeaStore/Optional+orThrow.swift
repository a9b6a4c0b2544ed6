extension Optional {
    /// Returns the value, or throws `error` if a required row is missing.
    public func orThrow(_ error: any Error) throws -> Wrapped {
        guard let self else { throw error }
        return self
    }
}
