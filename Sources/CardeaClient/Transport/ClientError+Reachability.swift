extension ClientError {
    /// Whether no connection came about, with nobody in the house's place.
    public var isNoConnection: Bool {
        switch self {
        case .noConnection, .circuitOpen: true
        default: false
        }
    }

    /// Whether the house could not be asked at all, so that what is kept of it is the best there is.
    public var isHubUnreachable: Bool {
        switch self {
        case .noConnection, .circuitOpen, .timeout, .interrupted: true
        case .api(let error): [502, 503, 504].contains(error.status)
        default: false
        }
    }
}
