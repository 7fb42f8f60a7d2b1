/// A cursor's files by index: those that run, and how the others ended.
struct FileLoads: Sendable {
    /// How a load ended.
    enum Outcome: Sendable {
        case file(DownloadedFile)
        case failed(any ActionableError)
        /// The service offers no file.
        case unavailable
    }

    private struct Load {
        let number: Int
        /// `nil` while the file's address is not known.
        var task: Task<Void, Never>?
        var progress: PhotoCursorState.Progress?
    }

    private var running: [Int: Load] = [:]
    private var outcomes: [Int: Outcome] = [:]
    private var last = 0

    /// A load of the file at `index` is to begin. What of it is told later carries the number it gets.
    mutating func open(_ index: Int) {
        last += 1
        running[index] = Load(number: last)
    }

    /// The number of the load at `index` that has not begun; `nil` where none waits.
    func waiting(at index: Int) -> Int? {
        running[index].flatMap { $0.task == nil ? $0.number : nil }
    }

    /// The indexes whose loads have not begun.
    var waiting: [Int] { running.keys.filter { running[$0]?.task == nil }.sorted() }

    mutating func begin(_ index: Int, _ task: Task<Void, Never>) { running[index]?.task = task }

    /// Drops the load at `index`; what it still tells is not heard.
    mutating func cancel(_ index: Int) { running.removeValue(forKey: index)?.task?.cancel() }

    /// Whether the progress counts: it may come late, or from a load that was dropped.
    mutating func take(_ progress: PhotoCursorState.Progress, at index: Int, _ number: Int) -> Bool {
        guard let load = running[index], load.number == number,
            progress.received >= load.progress?.received ?? 0
        else { return false }
        running[index]?.progress = progress
        return true
    }

    /// Whether the end counts; see ``take(_:at:_:)``.
    mutating func end(_ index: Int, _ number: Int, _ outcome: Outcome) -> Bool {
        guard running[index]?.number == number else { return false }
        running[index] = nil
        outcomes[index] = outcome
        return true
    }

    /// Whether the load at `index` failed; then that is forgotten, for another try.
    mutating func forgetFailure(_ index: Int) -> Bool {
        guard case .failed? = outcomes[index] else { return false }
        outcomes[index] = nil
        return true
    }

    /// How far a load that has begun is; `nil` where there is none.
    func progress(_ index: Int) -> PhotoCursorState.Progress? {
        guard let load = running[index], load.task != nil else { return nil }
        return load.progress ?? .init(received: 0, expected: nil)
    }

    /// The file at `index`, where it has come.
    func file(at index: Int) -> DownloadedFile? {
        if case .file(let file)? = outcomes[index] { file } else { nil }
    }

    /// The file at `index` for who looks at it.
    func picture(at index: Int) -> PhotoCursorState.Picture {
        switch outcomes[index] {
        case .file(let file)?: .ready(file)
        case .failed(let error)?: .failed(error)
        case .unavailable?: .unavailable
        case nil: running[index]?.progress.map { .loading($0) } ?? .waiting
        }
    }
}
