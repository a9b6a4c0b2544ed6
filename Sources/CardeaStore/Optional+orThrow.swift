extension Optional {
    /// What is there, or `error` where a row is missing that must be there.
    public func orThrow(_ error: any Error) throws -> Wrapped {
        guard let self else { throw error }
        return self
    }
}
