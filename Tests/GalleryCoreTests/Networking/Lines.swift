import GalleryTestSupport

/// Lines of a log, from any thread.
final class Lines: Sendable {
    private let lines = Watched<[String]>([])

    var all: [String] { lines.value }

    func add(_ line: String) {
        lines.update { $0.append(line) }
    }
}
