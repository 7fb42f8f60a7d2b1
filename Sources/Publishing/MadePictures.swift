import Foundation
import GalleryCore
import PictureFiles

/// What makes smaller pictures, and such as browsers show.
package protocol PictureMaker: Sendable {
    /// The picture in `file` upright, with `longestEdge` pixels on its longer edge or as many as it has.
    func picture(
        of file: URL, longestEdge: Int
    ) async throws(PictureMakingFault) -> (bytes: [UInt8], type: PictureType)
}

package struct PictureMakingFault: Error, Hashable {
    /// What happened, as in `vipsthumbnail failed`.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// A folder of pictures that are made of others: each once, since its name says of what content and how large it is.
package struct MadePictures: Sendable {
    private let maker: any PictureMaker
    private let folder: URL
    private let site: SitePictures?

    /// Pictures made by `maker`, in `folder`, which may be one of a site's.
    package init(_ maker: any PictureMaker, in folder: URL, of site: SitePictures? = nil) {
        (self.maker, self.folder, self.site) = (maker, folder, site)
    }

    /// The picture of `source` whose longer edge has so many pixels, made unless it is there.
    ///
    /// - Parameters:
    ///   - name: What its name begins with.
    ///   - digest: That of the content that `source` has, or was made of.
    func picture(
        of source: PublishedPicture, _ name: String, _ digest: String, longestEdge edge: Int
    ) async throws(PictureMakingFault) -> PublishedPicture {
        // Those that say nothing of their author are others.
        let target = target(name, digest, site?.metadata == PublishedMetadata.none ? "-0\(edge)" : "-\(edge)")
        if let kept = await Disk.run({ Self.kept(target) }) { return kept }
        let (bytes, type) = try await maker.picture(of: source.file, longestEdge: edge)
        return try await stored(at: target, type, bytes)
    }

    /// A copy of a picture that cannot be made smaller; `nil` without a site, or if it is not to be published.
    func copy(
        of source: PublishedPicture, _ name: String, _ digest: String
    ) async throws(PublishError) -> PublishedPicture? {
        let file = target(name, digest, "").appendingPathExtension(source.type.fileExtension)
        guard let site, try await site.copy(source, to: file.pathComponents.suffix(2).joined(separator: "/"))
        else { return nil }
        return try await Disk.run { () throws(PublishError) in try PublishedPicture(of: file) }
    }

    /// Small pictures of a photo, ascending, that stand for its site: as many as can be made.
    package func icons(of photo: PublishedPhoto?) async -> [PublishedPicture] {
        guard let source = photo?.thumbnail,
            let digest = await Disk.run({ try? PictureSet.Original(of: source.file).digest })
        else { return [] }
        var icons: [PublishedPicture] = []
        for edge in [32, 180] where edge < source.size.longestEdge {
            guard let icon = try? await picture(of: source, "icon", digest, longestEdge: edge) else { break }
            icons.append(icon)
        }
        return icons
    }

    private func target(_ name: String, _ digest: String, _ suffix: String) -> URL {
        // Both fit in a name with what follows.
        let start = FileName.shortened(name, to: 160)
        return folder.appending(path: "\(start).\(digest)\(suffix)", directoryHint: .notDirectory)
    }

    private func stored(
        at target: URL, _ type: PictureType, _ bytes: [UInt8]
    ) async throws(PictureMakingFault) -> PublishedPicture {
        try await Disk.run { () throws(PictureMakingFault) in
            let file = target.appendingPathExtension(type.fileExtension)
            if let site {
                do throws(PublishError) {
                    try site.write(bytes, type, at: file.pathComponents.suffix(2).joined(separator: "/"))
                    return try PublishedPicture(of: file)
                } catch {
                    throw PictureMakingFault(error.description)
                }
            }
            // For everybody, as all that is published; below, it would be private.
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            do {
                try PrivateFile.replace(file, with: Data(bytes), mode: 0o666, isDurable: false)
                return try PublishedPicture(of: file)
            } catch {
                throw PictureMakingFault((error as? any ActionableError)?.description ?? "\(error)")
            }
        }
    }

    private static func kept(_ target: URL) -> PublishedPicture? {
        [PictureType.jpeg, .webp, .png].lazy.compactMap { type in
            let file = target.appendingPathExtension(type.fileExtension)
            guard let opened = try? PublishedPicture.open(file),
                let status = try? SystemCall.status(of: opened),
                case .whole(type, _)? = try? PictureFile.examine(
                    descriptor: opened.number, length: status.length, named: "")
            else { return nil }
            return try? PublishedPicture(of: file)
        }.first
    }
}

/// The sizes in which pictures are published, in pixels of the longer edge.
package struct PublishedSizes: Sendable {
    /// What is shown of a photo at first, and at most.
    package var shown = 2048
    package var largest = 3840
    /// Those of the grid. Browsers take the next larger one, so that each step too many costs bytes: photos of 2:3 are
    /// seen at 480, 450 and 670 pixels on the usual phone, and at 375 and 250 on a desktop.
    package var grid = [320, 380, 450, 490, 560, 680, 820, 1024]
    /// The longer edges of pictures that are fit for a grid.
    package static let gridRange = 320...1024
    /// What is shown where a link to a page is shared.
    package static let shared = 1200
    /// Whether pictures of few bytes are left as they are, unless far larger.
    package var leavesSmall = false
    /// Whether they are for other programs than browsers, which show less.
    package var isForAll = false

    /// Those of a site.
    package init() {}

    /// That of a picture in another, which many programs show.
    package init(shown: Int, leavesSmall: Bool) {
        (self.shown, largest, grid, self.leavesSmall, isForAll) = (shown, shown, [], leavesSmall, true)
    }
}

/// The pictures that are published of one photo: those that came, and smaller ones that are made of them.
struct PictureSet {
    let sizes: PublishedSizes
    let made: MadePictures?
    private(set) var fault: PictureMakingFault?
    /// Whether the next that cannot be made is the last that is tried: a small one may go where a large one does not.
    private var hasFailed = false
    /// Whether some are missing because nothing is there that makes them.
    private(set) var isUnmade = false
    /// Whether a file is not published, because its metadata cannot be removed.
    var isUncleaned = false

    init(_ sizes: PublishedSizes, _ made: MadePictures?) { (self.sizes, self.made) = (sizes, made) }

    struct Original {
        let picture: PublishedPicture
        let digest: String
        /// What those that are made of it are called.
        let name: String
        var isPublished = true
        var edge: Int { picture.size.longestEdge }

        /// Reads the file at `url`, and its content too if its `digest` is unknown. This blocks.
        init(of url: URL, digest: String? = nil, named name: String? = nil) throws(PublishError) {
            picture = try PublishedPicture(of: url)
            self.name = name ?? url.deletingPathExtension().lastPathComponent
            let length = picture.bytes
            if let digest {
                self.digest = digest
            } else {
                self.digest = try PublishError.naming(
                    url, PublishError.cannotRead,
                    try Digest.text(of: PublishedPicture.open(url), length: length))
            }
        }
    }

    /// What a page shows of a picture; `nil` where browsers cannot show it.
    mutating func shown(_ original: Original) async -> (shown: PublishedPicture, larger: PublishedPicture?)? {
        let picture = original.picture
        let isForWeb = original.isPublished && picture.type.format.isForWeb
        let isFit = isForWeb && (!sizes.isForAll || [.jpeg, .png].contains(picture.type))
        let isSmall =
            sizes.leavesSmall && picture.bytes <= SiteStyle.smallFile && original.edge <= 3 * sizes.shown
        if isFit, isSmall || original.edge <= sizes.shown { return (picture, nil) }
        // Of a site, larger files than are shown cost nothing until a photo is opened.
        isUnmade = isUnmade || made == nil && sizes.grid.isEmpty
        var larger = isFit && original.edge <= sizes.largest ? picture : nil
        if larger == nil, sizes.largest > sizes.shown, original.edge > sizes.shown {
            larger = await self.picture(of: picture, original, sizes.largest)
        }
        guard let shown = await self.picture(of: larger ?? picture, original, sizes.shown) else {
            return isForWeb ? (picture, nil) : nil
        }
        // A raw file's preview may have few pixels.
        return (shown, larger.flatMap { $0.size.width > shown.size.width ? $0 : nil })
    }

    /// What the grid shows: of `files` those in its sizes, else what is made of `source`, else what there is.
    ///
    /// - Parameter isElsewhere: Whether `source` is not among what is published, and thus cannot be shown itself.
    mutating func grid(
        _ files: [PublishedPicture], _ source: PublishedPicture?, _ original: Original?, isElsewhere: Bool
    ) async -> [PublishedPicture] {
        let range = PublishedSizes.gridRange
        var usable = files
        // One that is small as it is needs no program, which takes longer to start than all else that a photo needs.
        if let source, source.type.format.isForWeb, source.bytes <= SiteStyle.smallFile,
            source.size.longestEdge <= range.upperBound,
            case let small = await copy(of: source, original, isElsewhere), !small.isEmpty
        {
            usable += small
        } else if !files.contains(where: { range.contains($0.size.longestEdge) }), let source, let original {
            isUnmade = made == nil
            usable = []
            for edge in Set(sizes.grid.map { min($0, original.edge) }).sorted(by: >) {
                let from = usable.last { $0.size.longestEdge * 2 >= edge * 3 } ?? source
                guard let made = await picture(of: from, original, edge) else { break }
                usable.append(made)
            }
            if usable.isEmpty { usable = files }
            if usable.isEmpty { usable = await copy(of: source, original, isElsewhere) }
        }
        usable = usable.filter(\.type.format.isForWeb).sorted { $0.size.width < $1.size.width }
        // A square part of a photo does not stand for all of it.
        let ratio = usable.last?.size.ratio ?? 1
        usable.removeAll { abs($0.size.ratio / ratio - 1) > 0.02 }
        return usable
    }

    private mutating func copy(
        of source: PublishedPicture, _ original: Original?, _ isElsewhere: Bool
    ) async -> [PublishedPicture] {
        guard isElsewhere else { return [source] }
        guard let made, let original, source.type.format.isForWeb else { return [] }
        do throws(PublishError) {
            return [try await made.copy(of: source, original.name, original.digest)].compactMap(\.self)
        } catch {
            fault = PictureMakingFault(error.description)
            return []
        }
    }

    private mutating func picture(
        of source: PublishedPicture, _ original: Original, _ edge: Int
    ) async -> PublishedPicture? {
        let isSmall = edge <= PublishedSizes.gridRange.upperBound
        guard let made, fault == nil || isSmall && !hasFailed else { return nil }
        do throws(PictureMakingFault) {
            return try await made.picture(of: source, original.name, original.digest, longestEdge: edge)
        } catch {
            (fault, hasFailed) = (fault ?? error, isSmall)
            return nil
        }
    }
}
