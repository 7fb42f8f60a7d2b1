import PictureFiles

/// How converters have done in this run, which says whether they are tried again.
struct ConverterRecord: Sendable {
    /// How often in a row a program may hang, or fail on pictures of one type.
    private static let most = 3

    /// How often in a row each program has hung since it last ended, and when it last did.
    private var hangs: [String: (count: Int, last: ContinuousClock.Instant)] = [:]
    /// On how many pictures of a type in a row each has failed.
    private var failures: [String: [PictureType: Int]] = [:]

    /// Whether a program is tried on pictures of a type; of any where that is `nil`.
    func isTried(_ path: String, on type: PictureType?) -> Bool {
        (hangs[path]?.count ?? 0) < Self.most && (type.flatMap { failures[path]?[$0] } ?? 0) < Self.most
    }

    /// Those that began before the last one ended count as one: a slow disk holds up all at once.
    mutating func noteHang(of path: String, begun: ContinuousClock.Instant, ended: ContinuousClock.Instant) {
        let former = hangs[path]
        if let former, begun < former.last { return }
        hangs[path] = ((former?.count ?? 0) + 1, ended)
    }

    mutating func noteEnd(of path: String) { hangs[path] = nil }
    mutating func noteSuccess(of path: String, on type: PictureType) { failures[path]?[type] = nil }

    /// Programs have failed on a picture. Where several have and none has converted it, the picture is at fault.
    mutating func noteFailures(of paths: Set<String>, on type: PictureType, isConverted: Bool) {
        guard isConverted || paths.count == 1 else { return }
        for path in paths { failures[path, default: [:]][type, default: 0] += 1 }
    }
}
