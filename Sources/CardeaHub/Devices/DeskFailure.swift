import CardeaStore

/// Why the house did not take what an integration told it, for people to read.
public enum DeskFailure {
    public static func words(for error: any Error) -> String { Store.words(for: error) }
}
