import Foundation

/// How large photos are looked at, which decides which of their files are loaded.
public enum ViewSize: Hashable, Sendable {
    /// The smallest file that fills a window of so many pixels, or a larger one for what is enlarged.
    case filling(PixelSize)
    case file(PhotoFileSize)

    /// How many pixels the longer edge of a photo of `size` takes, enlarged by `zoom`.
    func edge(of size: PixelSize?, zoom: Double) -> Int {
        switch self {
        case .file(.full): return .max
        case .file(.thumbnail): return 1
        case .file(.pixels(let pixels)): return pixels
        case .filling(let window):
            guard let size else { return Int((Double(window.longestEdge) * zoom).rounded()) }
            let scale = min(
                Double(window.width) / Double(size.width), Double(window.height) / Double(size.height))
            return Int((Double(size.longestEdge) * scale * zoom).rounded())
        }
    }
}

/// What was tried of one photo's files: decides which one to load first, and which next.
struct RenditionLadder: Sendable {
    /// The file that is shown, of the size that it really has; `nil` before the first one.
    private(set) var shown: Rendition?
    private var former: Rendition?
    private var failed: Set<URL> = []
    /// Whether a file was smaller than its service says, and up to which edge no other one is tried for that.
    private var (hasLied, settled) = (false, 0)

    /// The file to load: the first one, or one that is sharper than that shown; `nil` for none. A photo that
    /// `isComplete` is one to which details have nothing to add.
    func next(of photo: Photo, isComplete: Bool, at view: ViewSize, zoom: Double = 1) -> Rendition? {
        let edge = view.edge(of: photo.size ?? shown?.size, zoom: zoom)
        guard let shown else { return first(of: photo, isComplete, view, edge) }
        // The full-size file is the largest there is, whatever it turned out to be.
        guard shown.url != photo.full?.url, edge > settled, shown.edge ?? .max < edge else { return nil }
        let files = photo.renditions.map { $0.url == shown.url ? shown : $0 }
        guard let best = best(of: photo, among: files, edge), best.url != shown.url,
            best.edge ?? .max > shown.edge ?? 0
        else { return nil }
        return best
    }

    private func first(of photo: Photo, _ isComplete: Bool, _ view: ViewSize, _ edge: Int) -> Rendition? {
        let named: Rendition? =
            switch view {
            case .file(.full): photo.full
            case .file(.thumbnail): photo.thumbnail
            // It is there already, even if a smaller one would do.
            case .filling: photo.thumbnail.flatMap { !$0.isCropped && $0.edge ?? 0 >= edge ? $0 : nil }
            case .file(.pixels): nil
            }
        if let named, !failed.contains(named.url) { return named }
        let best = best(of: photo, among: photo.renditions, edge)
        guard !isComplete, photo.full == nil else { return best }
        // The details may know a better one than what is shown in its place until then.
        if view == .file(.full) || best?.url == photo.thumbnail?.url, best?.edge ?? 0 < edge { return nil }
        return best
    }

    private func best(of photo: Photo, among files: [Rendition], _ edge: Int) -> Rendition? {
        files.rendition(longestEdge: edge, full: photo.full?.url, size: photo.size, without: failed)
    }

    /// Takes a file that has come, of `size` pixels by itself, for an edge of so many pixels. True if it is shown now.
    mutating func take(_ rendition: Rendition, size: PixelSize?, for edge: Int) -> Bool {
        var file = rendition
        // What is off by a pixel or two is only rounded in another way.
        if let size, abs(size.longestEdge - (rendition.edge ?? 0)) > 2 { file.size = size }
        if file.edge ?? .max < min(edge, rendition.edge ?? .max) {
            // The next larger one is tried once.
            if hasLied { settled = max(settled, edge) }
            hasLied = true
        }
        guard file.edge ?? .max > shown?.edge ?? 0 else {
            failed.insert(rendition.url)
            return false
        }
        (shown, former) = (file, shown)
        return true
    }

    /// The file that is shown cannot be: the one before it is again.
    mutating func refuse() {
        if let shown { failed.insert(shown.url) }
        (shown, former) = (former, nil)
    }

    /// The file cannot be loaded; of one that `isFinal`, neither can any other.
    mutating func fail(_ rendition: Rendition, isFinal: Bool) {
        failed.insert(rendition.url)
        if isFinal { settled = .max }
    }

    mutating func forgive() { (failed, hasLied, settled) = ([], false, 0) }
}

extension Rendition {
    fileprivate var edge: Int? { size?.longestEdge }
}
