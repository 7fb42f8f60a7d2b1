import Foundation

/// A file that is written beside the one it replaces, and takes its name when it is whole: readers see the old
/// contents or the new. A draft that is not finished is removed.
package final class FileDraft: Sendable {
    package static let suffix = ".new"

    package let file: Descriptor
    private let folder: Descriptor
    private let name: String
    private let draft: String

    /// A draft of the file `name` in `folder`, with a new file's permissions. It is locked, so that nobody takes it for
    /// one that was left.
    package init(of name: String, in folder: Descriptor, mode: mode_t) throws(SystemCall.Failure) {
        (self.name, self.folder) = (name, folder)
        // Somebody who clears up may be quicker with the lock, once.
        for _ in 0..<10 {
            // A name may be as long as names may be.
            let number = UInt32.random(in: .min ... .max)
            let draft = String(name.unicodeScalars.prefix(50)) + ".\(number)" + Self.suffix
            let file = try SystemCall.open(draft, in: folder, O_RDWR | O_CREAT | O_EXCL, mode: mode)
            if (try? SystemCall.lock(file, LOCK_EX | LOCK_NB)) != nil,
                try SystemCall.status(of: file).st_nlink > 0
            {
                (self.draft, self.file) = (draft, file)
                return
            }
            try? SystemCall.remove(draft, from: folder)
        }
        throw SystemCall.Failure(code: EBUSY)
    }

    /// The name of the file that a draft is of, as far as the draft's name has it; `nil` where `name` is no draft's.
    package static func name(of name: String) -> String? {
        guard name.hasSuffix(suffix), let dot = name.dropLast(suffix.count).lastIndex(of: "."),
            UInt32(name[dot...].dropFirst().dropLast(suffix.count)) != nil
        else { return nil }
        return String(name[..<dot])
    }

    /// Removes a draft that was left. Who writes one has it locked.
    package static func clear(_ draft: String, in folder: Descriptor) {
        guard let file = try? SystemCall.open(draft, in: folder, O_RDONLY),
            (try? SystemCall.lock(file, LOCK_EX | LOCK_NB)) != nil
        else { return }
        try? SystemCall.remove(draft, from: folder)
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
        try? SystemCall.lock(file, LOCK_UN)
        // A file system that cannot sync folders does so by itself.
        if isDurable { try? SystemCall.sync(folder) }
    }

    /// Gives the draft its name once it is on the storage device, unless anything else has been given that since.
    ///
    /// - Parameter isCurrent: Looks, last of all, whether what has the name is still what this is to replace; `nil` where
    ///   nothing had it.
    /// - Throws: `EBUSY` where it is not.
    func finish(
        ifCurrent isCurrent: (() throws(SystemCall.Failure) -> Bool)?
    ) throws(SystemCall.Failure) {
        try SystemCall.sync(file)
        if let isCurrent {
            guard try isCurrent() else { throw SystemCall.Failure(code: EBUSY) }
            try SystemCall.rename(draft, to: name, in: folder)
        } else {
            try create()
        }
        // A file system that cannot sync folders does so by itself.
        try? SystemCall.sync(folder)
    }

    private func create() throws(SystemCall.Failure) {
        do {
            try SystemCall.link(draft, to: name, in: folder)
            discard()
        } catch  where error.code == EEXIST {
            throw SystemCall.Failure(code: EBUSY)
        } catch {
            // A file system without such links.
            guard try SystemCall.status(of: name, in: folder) == nil else {
                throw SystemCall.Failure(code: EBUSY)
            }
            try SystemCall.rename(draft, to: name, in: folder)
        }
    }
}
