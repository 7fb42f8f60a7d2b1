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
