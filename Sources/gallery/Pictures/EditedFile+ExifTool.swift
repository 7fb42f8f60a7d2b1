import Foundation
import GalleryCore

extension EditedFile {
    /// The longest picture that is edited, in bytes: what a program makes of it is held in memory.
    static let longest: Int64 = 128 << 20

    /// The file as `exiftool` changes it by these words; `nil` where it is not installed, or fails.
    func edited(_ words: [String], _ environment: [String: String]) async -> [UInt8]? {
        guard let file, let path = await ExifTool.program.path(in: environment) else { return nil }
        // No configuration of the user's, which is a program.
        var run = ProcessRun(
            path, ["-config", "", "-q", "-q"] + words + ["-o", "-", "-"], environment.forHelpers)
        run.input = file
        run.memoryLimit = 1 << 30
        run.outputLimit = bytes.count + 1 << 20
        guard let outcome = try? await run.outcome(), outcome.succeeded, !outcome.output.isEmpty else {
            return nil
        }
        return outcome.output
    }

    /// Replaces the file as ``replace(by:keepsTime:in:)`` does.
    ///
    /// - Parameter verb: What is done to it, such as `rated`.
    func replace(
        by bytes: [UInt8], keepsTime: Bool, in folder: Descriptor, _ verb: String
    ) async throws(FileEditFault) {
        let result = await onThread {
            Result { () throws(SystemCall.Failure) in
                try replace(by: bytes, keepsTime: keepsTime, in: folder)
            }
        }
        do { try result.get() } catch {
            throw FileEditFault(
                name, verb, error.code == EBUSY ? "another program has changed it" : error.reason)
        }
    }
}

/// A file could not be changed, and is as it was.
struct FileEditFault: StatusError, Hashable {
    let description: String
    var hint: String? { nil }
    var status: ExitStatus { .inputOutput }

    /// - Parameter verb: What was to be done to it, such as `rated`.
    init(_ name: String, _ verb: String, _ reason: String) {
        description = "'\(PlainText.line(name))' could not be \(verb): \(reason)."
    }
}
