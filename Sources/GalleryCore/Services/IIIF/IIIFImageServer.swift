import Foundation

/// The part of a picture that is shown, and how it is turned, as addresses of image servers say it.
struct IIIFView {
    let region: String
    private let rotation: String

    /// What a selector says; everything upright without one.
    init(_ selector: JSONNode? = nil) {
        region = Self.word(selector?.string("region")) ?? "full"
        rotation = Self.word(selector?.scalar("rotation")) ?? "0"
    }

    /// `text` if it is nothing but numbers and their signs, since it becomes a part of an address.
    private static func word(_ text: String?) -> String? {
        if text == "square" { return text }
        guard let text, text.utf8.count <= 100, text.contains(where: \.isNumber),
            text.utf8.allSatisfy({ "0123456789.,:!pct".utf8.contains($0) })
        else { return nil }
        return text
    }

    var isWhole: Bool { region == "full" }

    func path(size: String, name: String) -> String { "\(region)/\(size)/\(rotation)/\(name).jpg" }

    func size(of whole: PixelSize?) -> PixelSize? {
        if isWhole { return whole }
        let numbers = region.split(separator: ",").compactMap { Int($0) }
        return numbers.count == 4 ? PixelSize(width: numbers[2], height: numbers[3]) : nil
    }

    /// The size of a file that has `size` before it is turned: servers scale first.
    func turned(_ size: PixelSize?) -> PixelSize? {
        guard let size, ["90", "270"].contains(rotation.drop { $0 == "!" }) else { return size }
        return PixelSize(width: size.height, height: size.width)
    }
}

/// A server that makes files of a picture on demand. Source: iiif.io/api/image, 1.1 to 3.0.
struct IIIFImageServer {
    /// A picture's files; the small one is among the others.
    typealias Files = (small: Rendition?, full: Rendition, all: [Rendition])

    /// The picture's address, with a slash at its end.
    private let base: String
    private let version: Int
    /// How much it can do: at level 0, only the sizes that it names.
    private let level: Int
    private let sizes: [PixelSize]
    /// The longest edge that it sends; `nil` for any.
    private let most: Int?

    /// What a document, or the server itself, says of the picture at `address`.
    init(_ wire: JSONNode, at address: URL) {
        let text = address.absoluteString
        base = text.hasSuffix("/") ? text : text + "/"
        let profile = Self.kind(of: wire)
        version = Self.version(profile)
        level = profile.contains("level0") ? 0 : profile.contains("level2") ? 2 : 1
        sizes = wire.objects("sizes").compactMap { $0.size() }
        most = [wire.int("maxWidth"), wire.int("maxHeight")].compactMap(\.self).filter { $0 > 0 }.min()
    }

    /// What a service says that it is, by its profiles, type, and context; empty where it says nothing.
    static func kind(of wire: JSONNode) -> String {
        let profiles = wire.string("profile").map { [$0] } ?? wire.texts("profile")
        let types = ["type", "@type", "@context"].compactMap { wire.string($0) }
        return (profiles + types).joined(separator: " ")
    }

    /// Whether a service makes files, rather than letting people in, or searching.
    static func isOne(_ wire: JSONNode) -> Bool { kind(of: wire).lowercased().contains("image") }

    private static func version(_ profile: String) -> Int {
        if profile.contains("ImageService3") || profile.contains("image/3") { return 3 }
        if profile.contains("ImageService2") || profile.contains("image/2") { return 2 }
        let isFirst = ["image-api/1", "image/1", "ImageService1", "library.stanford.edu"].contains {
            profile.contains($0)
        }
        return isFirst ? 1 : 2
    }

    /// The longer edges to choose from where the server makes any size.
    private static let edges = [320, 640, 1024, 1600, 2048, 3840]

    /// The files of a view of `size` pixels; `own` is the file that the document names.
    func files(_ view: IIIFView, size: PixelSize?, own: URL?) -> Files? {
        let named = view.isWhole ? sizes : []
        let made = Self.edges.compactMap { size?.fitting(longestEdge: $0) }.filter { $0 != size }
        let all = (level == 0 || !named.isEmpty ? named : made)
            .filter { $0.longestEdge <= most ?? .max }.compactMap { file(view, word(for: $0), $0) }
        let largest = most.flatMap { size?.fitting(longestEdge: $0) } ?? size
        let whole =
            level == 0 && own != nil
            ? own.map { Rendition(url: $0, size: size) }
            : file(view, version == 3 ? "max" : largest == size ? "full" : word(for: largest), largest)
        guard let full = whole ?? all.last else { return nil }
        return (all.min { $0.size?.longestEdge ?? 0 < $1.size?.longestEdge ?? 0 }, full, all)
    }

    /// A size in the form that every server of this level and version takes.
    private func word(for size: PixelSize?) -> String {
        guard let size else { return "full" }
        return switch level {
        case 2: "!\(size.width),\(size.height)"
        case 0 where version == 3: "\(size.width),\(size.height)"
        default: "\(size.width),"
        }
    }

    private func file(_ view: IIIFView, _ word: String, _ size: PixelSize?) -> Rendition? {
        let path = view.path(size: word, name: version == 1 ? "native" : "default")
        return WebAddress.url(base + path).map { Rendition(url: $0, size: view.turned(size)) }
    }
}
