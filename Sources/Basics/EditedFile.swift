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

    /// Writes `bytes` beside the file and gives them its name and permissions, once they are on the storage device.
    /// This blocks.
    ///
    /// - Parameter keepsTime: Whether the time of modification stays.
    /// - Throws: `EBUSY` if the file has changed since it was read; then, and after any other failure, it is left as it
    ///   is.
    package func replace(
        by bytes: [UInt8], keepsTime: Bool, in folder: Descriptor
    ) throws(SystemCall.Failure) {
        let draft = try FileDraft(of: name, in: folder, mode: status.map { $0.st_mode & 0o777 } ?? 0o666)
        try SystemCall.write(bytes, to: draft.file)
        if let status {
            try SystemCall.setMode(of: draft.file, to: status.st_mode & 0o7777)
            if keepsTime { try SystemCall.setTimes(of: draft.file, to: status.lastModified) }
        }
        guard let status else { return try draft.finish(ifCurrent: nil) }
        try draft.finish { () throws(SystemCall.Failure) in
            guard let now = try SystemCall.status(of: name, in: folder) else { return false }
            // The time of the last change, too, which no program can set back.
            return now.st_ino == status.st_ino && now.st_dev == status.st_dev && now.length == status.length
                && now.lastModified == status.lastModified && now.lastChange == status.lastChange
        }
    }
}
