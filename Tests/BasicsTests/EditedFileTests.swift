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
                    #expect(appears && error.code == EEXIST)
                }
            }
            #expect((try? Data(contentsOf: file)) == (appears ? Self.theirs : Self.ours))
            #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["a.xmp"])
        }
    }

    @Test func `an edited file keeps its group, mode, and attributes, or is refused`() throws {
        try withTemporaryDirectory { url in
            let file = url.appending(path: "a.xmp")
            let folder = try SystemCall.openFolder(url.path)
            func edit() -> Int32 {
                do throws(SystemCall.Failure) {
                    try EditedFile("a.xmp", in: folder, longest: 100)
                        .replace(by: [UInt8](Self.ours), keepsTime: false, in: folder)
                    return 0
                } catch { return error.code }
            }
            try Self.before.write(to: file)
            chmod(file.path, 0o640)
            typealias Set =
                @convention(c) (
                    UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, Int, Int32
                ) -> Int32
            let set = try #require(System.function("setxattr", as: Set.self))
            // Only the superuser, and members of the group.
            let hasGroup = chown(file.path, uid_t.max, 12_345) == 0
            #expect(edit() == 0)
            let status = try SystemCall.status(of: SystemCall.open(file.path, O_RDONLY))
            #expect(status.st_mode & 0o777 == 0o640)
            #expect(!hasGroup || status.st_gid == 12_345)
            if set(file.path, "user.tag", "red", 3, 0) == 0 {
                #expect(edit() == ENOTSUP)
                try FileManager.default.removeItem(at: file)
                try Self.before.write(to: file)
            }
            #expect(link(file.path, file.path + ".kept") == 0)
            #expect(edit() == EMLINK)
            #expect(unlink(file.path + ".kept") == 0)
            chmod(file.path, 0o444)
            #expect(edit() == EACCES)
            chmod(file.path, 0o644)
            if chown(file.path, 12_345, gid_t.max) == 0 { #expect(edit() == EACCES) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["a.xmp"])
        }
    }
}
