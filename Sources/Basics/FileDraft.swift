import Foundation

/// A file that is written beside the one it replaces, and takes its name when it is whole: readers see the old
/// contents or the new. A draft that is not finished is removed.
package final class FileDraft: Sendable {
    /// How the names of drafts end.
    package static let suffix = ".new"

    package let file: Descriptor
    private let folder: Descriptor
    private let name: String
    private let draft: String

    /// A draft of the file `name` in `folder`, with a new file's permissions.
    package init(of name: String, in folder: Descriptor, mode: mode_t) throws(SystemCall.Failure) {
        (self.name, self.folder) = (name, folder)
        // A name may be as long as names may be.
        draft = String(name.unicodeScalars.prefix(50)) + ".\(UInt32.random(in: .min ... .max))" + Self.suffix
        file = try SystemCall.open(draft, in: folder, O_RDWR | O_CREAT | O_EXCL, mode: mode)
    }

    deinit { discard() }

    /// Removes the draft, unless it is finished: then nothing has its name any more.
    @Sendable package func discard() { try? SystemCall.remove(draft, from: folder) }

    /// Replaces the file.
    ///
    /// - Parameters:
    ///   - end: what is added to the file's name.
    ///   - isDurable: whether to wait until it is on the storage device, so that a power failure leaves one of
    ///     the two.
    package func finish(addingToName end: String = "", isDurable: Bool) throws(SystemCall.Failure) {
        if isDurable { try SystemCall.sync(file) }
        try SystemCall.rename(draft, to: name + end, in: folder)
        // A file system that cannot sync folders does so by itself.
        if isDurable { try? SystemCall.sync(folder) }
    }
}
