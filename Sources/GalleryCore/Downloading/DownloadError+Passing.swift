extension DownloadError {
    /// Whether the same fetch may succeed later without anything being changed.
    public var isPassing: Bool {
        switch self {
        case .transport(let error): error.isPassing
        case .refused(_, let status, _): RetryPolicy.isPassing(status: status)
        case .incomplete, .busy: true
        case .notAPicture, .empty, .cannotCreate, .cannotWrite, .cancelled: false
        }
    }

    /// The wait that the host asked for, in seconds.
    var secondsAsked: Int? {
        if case .refused(_, _, let seconds) = self { seconds } else { nil }
    }

    /// What a transport's error means for a file.
    init(_ error: TransportError) {
        switch error {
        case .cancelled: self = .cancelled
        case .rejected(let own as DownloadError): self = own
        default: self = .transport(error)
        }
    }
}
