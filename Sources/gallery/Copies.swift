import GalleryCore

/// Which files of a run turned out to be copies, and of which photos every file was one.
struct Copies {
    /// Files left out.
    private(set) var files = 0
    /// Photos of which no file is left.
    private(set) var photos = 0
    private var left: [PhotoID: Int] = [:]

    /// Takes in what is wanted from now on.
    mutating func add(_ items: some Sequence<DownloadItem>) {
        for item in items { left[item.photo, default: 0] += 1 }
    }

    /// Takes in that `item` is one.
    mutating func take(_ item: DownloadItem) {
        files += 1
        left[item.photo, default: 0] -= 1
        if left[item.photo] == 0 { photos += 1 }
    }
}

extension Chooser {
    /// As many more photos as turned out to be copies, so that the limit is reached after all.
    ///
    /// Goes through the selections again, from what is in memory as far as it was asked for.
    mutating func chooseMore(_ selections: [Selection]) async throws -> Chosen {
        let before = chosen
        chosen = Chosen()
        var more = try await choose(selections)
        more.failures.removeAll { failure in before.failures.contains { $0.name == failure.name } }
        chosen.failures += before.failures
        return more
    }
}
