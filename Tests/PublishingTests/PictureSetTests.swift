import Foundation
import GalleryCore
import GalleryTestSupport
import PictureFiles
import ProductTestSupport
import Testing

@testable import Publishing

/// What is published of a photo's files, and what is made for it.
@Suite struct PictureSetTests {
    /// Makes gray pictures in the right size, and notes which.
    private struct Maker: PictureMaker {
        let log = Watched<[Int]>([])
        var fault: PictureMakingFault?

        func picture(
            of file: URL, longestEdge: Int
        ) async throws(PictureMakingFault) -> (bytes: [UInt8], type: PictureType) {
            log.update { $0.append(longestEdge) }
            if let fault { throw fault }
            do throws(PublishError) {
                let size = try PublishedPicture(of: file).size.fitting(longestEdge: longestEdge)
                return (Array(Pictures.jpeg(width: size.width, height: size.height)), .jpeg)
            } catch {
                throw PictureMakingFault(error.description)
            }
        }
    }

    /// What a photo of these files is published as. Those of its page are `page.…`, those of the grid `small….jpg`.
    private func published(
        _ page: Data, named name: String = "page.jpg", small: [Data] = [], _ maker: Maker?, in folder: URL,
        sizes: PublishedSizes = PublishedSizes()
    ) async throws -> (photo: PublishedPhoto, set: PictureSet) {
        func file(_ data: Data, _ name: String) throws -> URL {
            let url = folder.appending(path: name)
            try data.write(to: url)
            return url
        }
        let original = try PictureSet.Original(of: file(page, name))
        let files = try small.enumerated().map { try PublishedPicture(of: file($1, "small\($0).jpg")) }
        var set = PictureSet(sizes, maker.map { MadePictures($0, in: folder.appending(path: "made")) })
        let entry = IndexedPhoto(
            index: 1, photo: Photo(id: PhotoID(service: "sample", value: "1"), title: ""))
        let photo = try await PublishedPhoto(
            entry, named: "a", files: [original], isFull: true, small: files, &set)
        return (photo, set)
    }

    static let grid = [320, 380, 450, 490, 560, 680, 820, 1024]

    private static func widths(_ pictures: [PublishedPicture?]) -> [Int] {
        pictures.compactMap { $0?.size.width }
    }

    /// What came, what the page shows, what it shows on larger screens, the grid, and what was made.
    static let cases: [(Int, Int, Int?, [Int], [Int])] = [
        (6000, 2048, 3840, grid, [3840, 2048] + Array(grid.reversed())),
        (3000, 2048, 3000, grid, [2048] + Array(grid.reversed())),
        (2048, 2048, nil, grid, Array(grid.reversed())),
        (500, 500, nil, [500], []),
    ]

    @Test(arguments: cases)
    func `what is larger than it is looked at is made smaller, once`(
        width: Int, shown: Int, larger: Int?, grid: [Int], made: [Int]
    ) async throws {
        try await withTemporaryDirectory { folder in
            let maker = Maker()
            for _ in 1...2 {
                let (photo, set) = try await published(
                    Pictures.jpeg(width: width, height: width / 2), maker, in: folder)
                #expect(Self.widths(photo.pictures) == [shown])
                #expect(photo.larger[0]?.size.width == larger)
                #expect(Self.widths(photo.small) == grid)
                #expect(photo.original?.size.width == width)
                #expect(set.fault == nil && !set.isUnmade)
                #expect(maker.log.value == made)
            }
        }
    }

    @Test func `another content under the same name, and a torso, are made anew`() async throws {
        try await withTemporaryDirectory { folder in
            let maker = Maker()
            let photo = try await published(Pictures.jpeg(width: 2048, height: 1024), maker, in: folder).photo
            let count = maker.log.value.count
            _ = try await published(Pictures.jpeg(width: 2048, height: 1000), maker, in: folder)
            #expect(maker.log.value.count == 2 * count)
            let file = try #require(photo.others.last).file
            try Data(contentsOf: file).dropLast(9).write(to: file)
            _ = try await published(Pictures.jpeg(width: 2048, height: 1024), maker, in: folder)
            #expect(maker.log.value.count == 2 * count + 1)
        }
    }

    @Test func `files in the sizes of a grid are the grid, and parts of a photo are not`() async throws {
        try await withTemporaryDirectory { folder in
            let maker = Maker()
            let small = [(100, 100), (400, 200), (800, 400)].map { Pictures.jpeg(width: $0, height: $1) }
            let photo = try await published(
                Pictures.jpeg(width: 2000, height: 1000), small: small, maker, in: folder
            ).photo
            #expect(Self.widths(photo.small) == [400, 800])
            #expect(maker.log.value.isEmpty)
        }
    }

    @Test func `a photo whose pictures cannot be made has what came, and is tried twice`() async throws {
        try await withTemporaryDirectory { folder in
            let maker = Maker(fault: PictureMakingFault("it broke"))
            let preview = Pictures.jpeg(width: 160, height: 80)
            let (photo, set) = try await published(
                Pictures.jpeg(width: 6000, height: 3000), small: [preview], maker, in: folder)
            #expect(Self.widths(photo.pictures) == [6000] && Self.widths(photo.small) == [160])
            // A large one, and a small one.
            #expect(maker.log.value.count == 2 && set.fault?.reason == "it broke" && !set.isUnmade)
        }
    }

    @Test(arguments: [[], [160]])
    func `without a maker the grid has previews, else the file itself`(previews: [Int]) async throws {
        try await withTemporaryDirectory { folder in
            let (photo, set) = try await published(
                Pictures.jpeg(width: 6000, height: 3000),
                small: previews.map { Pictures.jpeg(width: $0, height: $0 / 2) },
                nil, in: folder)
            #expect(Self.widths(photo.pictures) == [6000])
            #expect(Self.widths(photo.small) == (previews.isEmpty ? [6000] : previews))
            #expect(set.fault == nil && set.isUnmade)
        }
    }

    @Test func `what browsers do not show is shown converted, and linked`() async throws {
        try await withTemporaryDirectory { folder in
            let heic = Data(HandmadeISO(brand: "heic").bytes)
            let maker = Maker()
            let photo = try await published(heic, named: "page.heic", maker, in: folder).photo
            #expect(photo.pictures.map(\.type) == [.jpeg] && photo.original?.type == .heic)
            #expect(photo.small.map(\.type) == [.jpeg])
            let error = await #expect(throws: PublishError.self) {
                _ = try await published(heic, named: "page.heic", nil, in: folder)
            }
            #expect(error == .notForWeb(format: "HEIC", name: "page.heic"))
        }
    }

    @Test func `a page of fewer pixels has a grid of the file's`() async throws {
        try await withTemporaryDirectory { folder in
            let maker = Maker()
            var sizes = PublishedSizes()
            (sizes.shown, sizes.largest) = (640, 640)
            let photo = try await published(
                Pictures.jpeg(width: 3000, height: 1500), maker, in: folder, sizes: sizes
            ).photo
            #expect(Self.widths(photo.pictures) == [640] && photo.larger.isEmpty)
            #expect(Self.widths(photo.small) == Self.grid)
        }
    }

    @Test(arguments: [(true, 1000, 1000), (true, 4000, 400), (false, 1000, 400)])
    func `a picture of its own embeds small files as they are`(leavesSmall: Bool, width: Int, shown: Int)
        async throws
    {
        try await withTemporaryDirectory { folder in
            let photo = try await published(
                Pictures.jpeg(width: width, height: width / 2), Maker(), in: folder,
                sizes: PublishedSizes(shown: 400, leavesSmall: leavesSmall)
            ).photo
            #expect(Self.widths(photo.pictures) == [shown])
        }
    }

    @Test func `a picture in another is JPEG or PNG, since few programs show more`() async throws {
        try await withTemporaryDirectory { folder in
            let sizes = PublishedSizes(shown: 400, leavesSmall: true)
            let gif = Data(SmallPicture.gif)
            let made = try await published(gif, named: "page.gif", Maker(), in: folder, sizes: sizes).photo
            #expect(made.pictures.map(\.type) == [.jpeg])
            // Browsers show it, where nothing can make another.
            let left = try await published(gif, named: "page.gif", nil, in: folder, sizes: sizes).photo
            #expect(left.pictures.map(\.type) == [.gif])
        }
    }
}
