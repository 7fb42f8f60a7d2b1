import Testing

@testable import GalleryCore

/// Which of several files of the same bytes is taken.
@Suite("Unique files")
struct UniqueFilesTests {
    private static let print = UniqueFiles.Print(bytes: 10, digest: "00000000000000aa")

    /// A file of print `print`, where `same` are the paths that have its bytes.
    private static func twin(
        standing: [String] = [], taken: [String] = [], same: [String], isNamed: Bool = false,
        own: UniqueFiles.Own = .nothing, print: UniqueFiles.Print = print
    ) -> String? {
        var files = UniqueFiles()
        for path in standing { files.note(standing: path, Self.print) }
        for path in taken { files.take(path, Self.print) }
        return files.twin(of: print, isNamed: isNamed, own: own) { same.contains($0) }
    }

    @Test func `a file is a copy of one before it, else of one that stood there`() {
        #expect(Self.twin(same: ["a"]) == nil)
        #expect(Self.twin(standing: ["a"], same: ["a"]) == "a")
        #expect(Self.twin(taken: ["a"], same: ["a"]) == "a")
        #expect(Self.twin(standing: ["b"], taken: ["a"], same: ["a", "b"]) == "a")
    }

    @Test func `an equal print alone makes no copy`() {
        #expect(Self.twin(standing: ["a", "b"], taken: ["c"], same: []) == nil)
        #expect(Self.twin(standing: ["a", "b"], taken: ["c"], same: ["b"]) == "b")
    }

    @Test(arguments: [(Int64(11), "00000000000000aa"), (10, "00000000000000ab")])
    func `bytes are compared only where length and digest are equal`(bytes: Int64, digest: String) {
        let other = UniqueFiles.Print(bytes: bytes, digest: digest)
        #expect(Self.twin(standing: ["a"], taken: ["a"], same: ["a"], print: other) == nil)
    }

    @Test func `what stands whole gives way to those before it in the batch alone`() {
        #expect(Self.twin(standing: ["a"], same: ["a"], own: .whole) == nil)
        #expect(Self.twin(taken: ["a"], same: ["a"], own: .whole) == "a")
    }

    @Test func `a torso is made whole, whatever has its bytes`() {
        #expect(Self.twin(standing: ["a"], taken: ["b"], same: ["a", "b"], own: .torso) == nil)
    }

    @Test(arguments: [UniqueFiles.Own.nothing, .whole, .torso])
    func `a photo named by itself is taken`(own: UniqueFiles.Own) {
        #expect(
            Self.twin(standing: ["a"], taken: ["b"], same: ["a", "b"], isNamed: true, own: own) == nil)
    }
}
