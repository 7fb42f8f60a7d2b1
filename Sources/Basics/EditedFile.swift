import Foundation

/// A file as it was read, which is replaced only if it has not changed since; never through a link.
package struct EditedFile: Sendable {
    package let name: String
    /// The file that was read; `nil` for one that is not there yet.
    package let file: Descriptor?
    /// All of it.
    package let bytes: [UInt8]
    private let status: stat?

    package init(new name: String) { (self.name, file, bytes, status) = (name, nil, [], nil) }

    /// Reads `name` in `folder`, a regular file of at most `longest` bytes. This blocks.
    package init(_ name: String, in folder: Descriptor, longest: Int64) throws(SystemCall.Failure) {
        let file = try SystemCall.open(name, in: folder, O_RDONLY)
        let status = try SystemCall.status(of: file)
        guard status.isRegular else { throw SystemCall.Failure(code: EINVAL) }
        guard status.length <= longest else { throw SystemCall.Failure(code: EFBIG) }
        let bytes = try SystemCall.read(file, at: 0, count: Int(status.length))
        (self.name, self.file, self.bytes, self.status) = (name, file, bytes, status)
    }

    /// Writes `bytes` beside the file and, once they are synced, gives them its name, group, and mode, and, if
    /// `keepsTime`, its time of modification. This blocks.
    ///
    /// - Throws: `EBUSY` or `EEXIST` if the file has changed since it was read; then, and after any other failure, it
    ///   is left as it is. `EMLINK` if it has other names, `ENOTSUP` if it has attributes, which would be left behind;
    ///   `EACCES` if it is read-only or somebody else's.
    package func replace(
        by bytes: [UInt8], keepsTime: Bool, in folder: Descriptor
    ) throws(SystemCall.Failure) {
        let draft = try FileDraft(of: name, in: folder, mode: status.map { $0.st_mode & 0o777 } ?? 0o666)
        try SystemCall.write(bytes, to: draft.file)
        if let status, let file {
            guard status.st_nlink == 1 else { throw SystemCall.Failure(code: EMLINK) }
            if try SystemCall.status(of: draft.file).st_gid != status.st_gid {
                try SystemCall.check { fchown(draft.file.number, uid_t.max, status.st_gid) }
            }
            try SystemCall.setMode(of: draft.file, to: status.st_mode & 0o7777)
            guard !System.hasAttributes(file.number) else { throw SystemCall.Failure(code: ENOTSUP) }
            if keepsTime { try SystemCall.setTimes(of: draft.file, to: status.lastModified) }
        }
        try draft.finish(over: status.map { .current($0) } ?? .nothing, isDurable: true)
    }
}
