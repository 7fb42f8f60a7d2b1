import GalleryCore
import Testing

@testable import gallery

/// Not Swift Testing's.
private typealias ExitStatus = gallery.ExitStatus

@Suite struct ExitStatusTests {
    @Test(
        arguments: [
            (401, nil, .unavailable), (403, nil, .unavailable), (404, nil, .missing), (410, nil, .missing),
            (429, nil, .rateLimited), (429, 5, .rateLimited), (503, 5, .rateLimited),
            (202, 5, .rateLimited), (202, nil, .unavailable), (420, nil, .rateLimited),
            (503, nil, .unavailable),
            (500, nil, .unavailable), (302, nil, .unavailable),
        ] as [(Int, Int?, ExitStatus)])
    fileprivate func `of an image's host is what the status means`(
        status: Int, seconds: Int?, exit: ExitStatus
    ) {
        #expect(ExitStatus(of: DownloadError.refused(host: "h", status: status, seconds: seconds)) == exit)
    }

    @Test(arguments: [
        TransportError.unreachable(host: "h", reason: ""), .proxy(host: "p", reason: "", isPassing: true),
        .cutShort(host: "h", received: 1, expected: 2), .timedOut(host: "h", seconds: 1),
        .redirect(host: "h", reason: ""), .malformed(host: "h", reason: ""), .badHeader(host: "h"),
        .browsersOnly(host: "h"),
        .unreadable(host: "h", isPassing: false), .interrupted(host: "h"),
    ])
    func `of a transfer that failed is 69, wherever it was`(error: TransportError) {
        #expect(ExitStatus(of: error) == .unavailable)
        #expect(ExitStatus(of: DownloadError.transport(error)) == .unavailable)
        #expect(ExitStatus(of: ServiceError.transport(error)) == .unavailable)
    }
}
