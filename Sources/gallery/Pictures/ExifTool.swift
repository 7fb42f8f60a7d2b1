import Basics
import Foundation
import PictureFiles
import Publishing
import TerminalPictures

/// Takes metadata out of pictures by `exiftool`: of formats whose files are not taken apart here.
struct ExifTool: PictureCleaner {
    private let environment: [String: String]
    private static let slots = AsyncSemaphore(2)
    private static let (timeLimit, memoryLimit) = (Duration.seconds(30), UInt64(1) << 30)
    private static let mostBytes = 256 << 20

    init(_ environment: [String: String]) { self.environment = environment }

    static let program = HelperProgram(
        names: ["exiftool"], product: "ExifTool", question: ["-ver", "-v"], beginnings: ["ExifTool version "])

    func cleaned(_ file: URL, _ type: PictureType, _ metadata: PublishedMetadata) async -> [UInt8]? {
        // In a camera's raw file, serial numbers are among what is needed to read it.
        guard !type.isCameraRaw, let path = await Self.program.path(in: environment), await Self.slots.enter()
        else { return nil }
        defer { Self.slots.leave() }
        guard let input = try? SystemCall.open(file.path(percentEncoded: false), O_RDONLY | O_NOFOLLOW) else {
            return nil
        }
        // No configuration of the user's, which is a program; and no program sees the file's name.
        var run = ProcessRun(
            path,
            ["-config", "", "-q", "-m", "-all=", "-CommonIFD0=", "-GeoTiffDirectory=", "-ModelTiePoint="]
                + ["-ModelTransform=", "-tagsFromFile", "@", "-ICC_Profile", "-EXIF:Orientation"]
                + (metadata == .safe ? Self.credit : []) + ["-o", "-", ConverterProgram.input],
            environment.forHelpers)
        (run.timeLimit, run.memoryLimit, run.outputLimit) = (Self.timeLimit, Self.memoryLimit, Self.mostBytes)
        run.input = input
        guard let outcome = try? await run.outcome(), outcome.succeeded else { return nil }
        return type.isClean(outcome.output, comparedTo: input) ? outcome.output : nil
    }

    private static let credit = [
        "-EXIF:Artist", "-EXIF:Copyright", "-XMP-dc:Creator", "-XMP-dc:Rights", "-XMP-photoshop:Credit",
        "-XMP-xmpRights:all",
    ]
}
