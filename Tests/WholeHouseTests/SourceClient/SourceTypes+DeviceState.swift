extension SourceTypes {
    /// `DeviceState`, for what stands in `current_state`.
    typealias DeviceState = SourceDocument.DeviceState
}
