import Basics
import Foundation
import GalleryTestSupport
import ProductTestSupport
import Testing

@Suite(
    "Edited files", .fewAtOnce, .serialized, .timeLimit(.minutes(1)), .enabled(if: DiskJournal.isAvailable))
struct EditedFileTests {
    private static let (before, ours, theirs) = (
        Data("before".utf8), Data("ours".utf8), Data("what they wrote".utf8)
    )

    /// What another program does to a file.
    enum Edit: CaseIterable {
        case nothing, replaces, writesInPlace, writesAsMuchAndSetsTime, removes

        func happen(to file: URL) throws {
            switch self {
            case .nothing: break
            case .replaces: try EditedFileTests.theirs.write(to: file, options: .atomic)
            case .writesInPlace: try EditedFileTests.theirs.write(to: file)
            case .writesAsMuchAndSetsTime:
                let time = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
                let handle = try FileHandle(forWritingTo: file)
                try handle.write(contentsOf: Data("BEFORE".utf8))
                try handle.close()
                // Until the clock of the file system has gone on.
                let before = try SystemCall.status(of: SystemCall.open(file.path, O_RDONLY)).lastChange
                repeat {
                    try FileManager.default.setAttributes(
                        [.modificationDate: time as Any], ofItemAtPath: file.path)
                } while try SystemCall.status(of: SystemCall.open(file.path, O_RDONLY)).lastChange == before
            case .removes: try FileManager.default.removeItem(at: file)
            }
        }
    }

    @Test(arguments: Edit.allCases)
    func `what another program has made of a file until last of all stays`(edit: Edit) throws {
        try withTemporaryDirectory { url in
            let file = url.appending(path: "a.xmp")
            try Self.before.write(to: file)
            let folder = try SystemCall.openFolder(url.path)
            let edited = try EditedFile("a.xmp", in: folder, longest: 100)
            // Between the look before the bytes are on the device, and the name.
            DiskJournal.afterSync({ #expect(throws: Never.self) { try edit.happen(to: file) } }) {
                let result = Result { () throws(SystemCall.Failure) in
                    try edited.replace(by: [UInt8](Self.ours), keepsTime: false, in: folder)
                }
                #expect((try? result.get()) != nil || edit != .nothing)
            }
            let expected: [Edit: Data?] = [
                .nothing: Self.ours, .replaces: Self.theirs, .writesInPlace: Self.theirs,
                .writesAsMuchAndSetsTime: Data("BEFORE".utf8), .removes: nil,
            ]
            let left = try? Data(contentsOf: file)
            #expect(left == expected[edit])
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: url.path).allSatisfy { $0 == "a.xmp" })
        }
    }

    @Test(arguments: [true, false])
    func `a file that was not there replaces none that is there by then`(appears: Bool) throws {
        try withTemporaryDirectory { url in
            let file = url.appending(path: "a.xmp")
            let folder = try SystemCall.openFolder(url.path)
            DiskJournal.afterSync({ if appears { try? Self.theirs.write(to: file) } }) {
                do throws(SystemCall.Failure) {
                    try EditedFile(new: "a.xmp").replace(
                        by: [UInt8](Self.ours), keepsTime: false, in: folder)
                    #expect(!appears)
                } catch {
                    #expect(appears && error.code == EBUSY)
                }
            }
            #expect((try? Data(contentsOf: file)) == (appears ? Self.theirs : Self.ours))
            #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["a.xmp"])
        }
    }
}
