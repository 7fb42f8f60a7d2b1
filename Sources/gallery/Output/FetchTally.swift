import GalleryCore
import TerminalPictures

/// The state of a batch of downloads: events change it, and progress lines are made of it.
struct FetchTally: Sendable {
    struct Running: Sendable {
        /// Bytes on disk; `nil` before the first request.
        var received: Int64?
        var expected: Int64?
        /// When its wait after a temporary failure ends; `nil` if it is not waiting.
        var waitsUntil: Duration?

        func waits(at now: Duration) -> Bool { waitsUntil.map { $0 > now } ?? false }
    }

    /// Planned files, and photos that failed before they could be planned.
    private var planned: Int
    private var expected = 0
    private(set) var counts: [DownloadedFile.Status: Int] = [:]
    private(set) var failed = 0
    private(set) var duplicates = 0
    /// Files left out for how many bytes they have.
    private(set) var unwanted = 0
    private(set) var running: [Int: Running] = [:]
    private(set) var bytes: Int64 = 0
    /// What is being requested beside files, such as `details 12/100`; `nil` for nothing.
    var planning: String?

    init(planned: Int = 0, failed: Int = 0, planning: String? = nil) {
        (self.planning, self.planned, self.failed) = (planning, planned, failed)
    }

    var done: Int { counts.values.reduce(0, +) + failed + duplicates + unwanted }

    var total: Int { max(planned, expected) }

    var isSettled: Bool { done == planned }

    /// Adds more items, and photos that failed before they could be planned. `expected` is the total; `nil` if unknown.
    mutating func add(planned more: Int, failed: Int, expected: Int?) {
        planned += more + failed
        self.failed += failed
        self.expected = expected ?? 0
    }

    /// Handles an event. `now` is the time since the batch began.
    mutating func take(_ event: DownloadEvent, now: Duration) {
        switch event {
        case .started(let item, let offset, let expected):
            // A retry: its first bytes arrived after the last progress event.
            if let before = running[item.number]?.received { bytes += max(0, offset - before) }
            running[item.number] = Running(received: offset, expected: expected)
        case .progress(let item, let received, let expected):
            bytes += max(0, received - (running[item.number]?.received ?? received))
            running[item.number] = Running(received: received, expected: expected)
        case .waiting(let item, let delay, _):
            running[item.number, default: Running()].waitsUntil = now + delay
        case .finished(let item, let file):
            if file.status != .kept { bytes += max(0, file.bytes - (running[item.number]?.received ?? 0)) }
            running[item.number] = nil
            counts[file.status, default: 0] += 1
        case .duplicate(let item, _):
            if let file = running.removeValue(forKey: item.number) {
                let received = file.received ?? 0
                bytes += max(0, (file.expected ?? received) - received)
            }
            duplicates += 1
        case .failed(let item, let error):
            running[item.number] = nil
            if case .unwanted = error { unwanted += 1 } else { failed += 1 }
        case .revoked(_, let file, _):
            counts[file.status, default: 0] -= 1
            failed += 1
        }
    }

    typealias Counts = (fetched: Int, kept: Int, failed: Int)

    /// `312 fetched, 20 kept, 2 failed, 128 MB in 41 s`: of files, or of `photos`.
    func summary(_ photos: Counts? = nil, after time: Duration) -> String {
        let fetched = counts[.fetched, default: 0] + counts[.resumed, default: 0]
        let counts = photos ?? (fetched, counts[.kept, default: 0], failed)
        return "\(counts.fetched) fetched, \(counts.kept) kept, \(counts.failed) failed, "
            + "\(ByteText.amount(bytes)) in \(ByteText.time(time))"
    }

    /// A bar for each running file, those in transfer and the earlier first, as far as there is room, and a line for
    /// the batch: one line fewer than `size` has rows. `label` says what a file is called, by its item's number.
    func lines(now: Duration, _ size: ProgressDisplay.Size, label: (Int) -> String) -> [String] {
        guard size.rows > 1 else { return [] }
        let numbers = running.keys.sorted()
        let moving = numbers.filter { running[$0]?.waits(at: now) == false }
        let waiting = numbers.filter { running[$0]?.waits(at: now) == true }
        let shown = (moving + waiting).prefix(size.rows - 2).sorted()
        let bars = shown.compactMap { number in
            running[number].map { Self.bar($0, label(number), now: now, width: size.columns) }
        }
        return bars + [DisplayWidth.usual.truncated(whole(now), to: size.columns)]
    }

    /// `12/340 · 41 MB · 8.2 MB/s · 1:50 left`.
    private func whole(_ now: Duration) -> String {
        if total == 0, let planning { return planning }
        var parts = [planning, "\(done)/\(total)", ByteText.amount(bytes)].compactMap(\.self)
        let seconds = now / .seconds(1)
        if seconds >= 0.5, bytes > 0 {
            parts.append(ByteText.amount(Int64(Double(bytes) / seconds)) + "/s")
            let moved = Double(done - counts[.kept, default: 0])
            if moved + runningShare > 0, done < total {
                // A running file counts in part, so that the estimate does not jump back with each that ends; and
                // nothing is over before the longest wait is.
                let left = Double(total - done) - runningShare
                let estimate = seconds / (moved + runningShare) * max(0, left)
                let wait = running.values.compactMap(\.waitsUntil).map { ($0 - now) / .seconds(1) }.max() ?? 0
                parts.append(ByteText.time(.seconds(max(estimate, wait))) + " left")
            }
        }
        return parts.joined(separator: " · ")
    }

    private var runningShare: Double {
        running.values.reduce(0) { share, file in
            guard let received = file.received, let expected = file.expected, expected > 0 else {
                return share
            }
            return share + min(1, Double(received) / Double(expected))
        }
    }

    private static func bar(_ file: Running, _ label: String, now: Duration, width: Int) -> String {
        let labelWidth = max(8, min(32, width / 3))
        let label = DisplayWidth.usual.padded(
            DisplayWidth.usual.truncated(label, to: labelWidth), to: labelWidth)
        if let until = file.waitsUntil, until > now {
            return DisplayWidth.usual.truncated("\(label) waits \(ByteText.time(until - now))", to: width)
        }
        let received = file.received ?? 0
        let amount = ByteText.amount(received)
        guard let expected = file.expected, expected > 0 else {
            return DisplayWidth.usual.truncated("\(label) \(amount)", to: width)
        }
        let share = min(1, Double(received) / Double(expected))
        let percent = "\(Int(share * 100)) %"
        let tail =
            " " + String(repeating: " ", count: max(0, 5 - percent.count)) + percent
            + " of \(ByteText.amount(expected))"
        let barWidth = width - labelWidth - 1 - 16
        guard barWidth >= 5 else { return DisplayWidth.usual.truncated("\(label)\(tail)", to: width) }
        let filled = Int(Double(barWidth) * share)
        // Characters that differ without color.
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
        return DisplayWidth.usual.truncated("\(label) \(bar)\(tail)", to: width)
    }
}
