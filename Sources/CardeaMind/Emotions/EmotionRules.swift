/// The speed at which emotions change, per cycle (the backend's numbers).
public enum EmotionRules {
    /// The largest change of a value in one cycle.
    public static let step = 0.3
    /// The amount by which a value falls back in each cycle once its causes are over.
    public static let decay = 0.05
    /// The number of cycles after which nothing is left of a cause that is over, whatever the value was.
    public static let memory = 20
}
