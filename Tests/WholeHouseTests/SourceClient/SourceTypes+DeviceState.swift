extension SourceTypes {
    /// `DeviceState`, the type of `current_state`.
    typealias DeviceState = SourceDocument.DeviceState
}
