import CardeaStore

/// Why the house did not take what an integration told it, for people to read.
public enum DeviceSinkErrorText {
    public static func text(for error: any Error) -> String { Store.message(for: error) }
}
