extension ClientError {
    /// True if no connection was made and no other host answered in the hub's place.
    public var isNoConnection: Bool {
        switch self {
        case .noConnection, .circuitOpen: true
        default: false
        }
    }

    /// True if the hub could not be asked, so that stored data is the best available.
    public var isHubUnreachable: Bool {
        switch self {
        case .noConnection, .circuitOpen, .timeout, .interrupted: true
        case .api(let error): [502, 503, 504].contains(error.status)
        default: false
        }
    }
}
