import Foundation

/// A file that is written beside the one it replaces, and takes its name when it is whole: readers see the old
/// contents or the new. A draft that is not finished is removed.
package final class FileDraft: Sendable {
    package static let suffix = ".new"

    package let file: Descriptor
    private let folder: Descriptor
    private let target: Descriptor
    private let name: String
    private let draft: String

    /// A draft of the file `name` in `folder`, or in `target` once finished, with a new file's permissions; locked, not
    /// to be taken for a leftover.
    package init(
        of name: String, in folder: Descriptor, for target: Descriptor? = nil, mode: mode_t
    ) throws(SystemCall.Failure) {
        (self.name, self.folder, self.target) = (name, folder, target ?? folder)
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

    /// Gives the draft its name with `end` added, in place of what `replaced` allows; if `isDurable`, waits until it is
    /// on the storage device: a power failure leaves one of the two.
    package func finish(
        addingToName end: String = "", over replaced: Replacement, isDurable: Bool
    ) throws(SystemCall.Failure) {
        if isDurable { try SystemCall.sync(file) }
        try replaced.put(draft, of: folder, as: name + end, in: target)
        try? SystemCall.lock(file, LOCK_UN)
        // A file system that cannot sync folders does so by itself.
        if isDurable { try? SystemCall.sync(target) }
    }
}
