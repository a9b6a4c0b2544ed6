import CardeaStore

/// The reason why the house rejected an integration's report, for people to read.
public enum DeviceSinkErrorText {
    public static func text(for error: any Error) -> String { Store.message(for: error) }
}
