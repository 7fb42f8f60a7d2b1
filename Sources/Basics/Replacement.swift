import Foundation

/// What a file that is written may replace: the one rule of all commands.
///
/// Nothing but an ordinary file is ever replaced. A link is followed where the user has named it, and among settings
/// and state, which some keep elsewhere (``followed(_:)``); among the names that this program makes it is refused.
package enum Replacement: Sendable {
    /// Nothing.
    case nothing
    /// The very file of which this is the status, as nobody has changed it since; not even its absence is allowed.
    case current(stat)
    /// A user's writable file for which this holds, such as a recorded one; `nil` for a name only this program uses.
    case own((@Sendable (_ file: Descriptor, _ status: stat) throws(SystemCall.Failure) -> Bool)?)
    /// Any file: it is a private copy of this program's, or the user said so.
    case any

    /// Makes sure that what has a name may be replaced, links not followed, and returns whether anything has it.
    ///
    /// - Parameter owner: Who owns new files in this file system, which is not always the user; `nil` to accept any.
    /// - Throws: `EEXIST` where it may not; `ELOOP` for a link, `EISDIR` for a folder, `EACCES` for a file that is
    ///   read-only or somebody else's, `EBUSY` for one that has changed.
    @discardableResult
    package func check(
        _ name: String, in folder: Descriptor, owner: uid_t? = nil
    ) throws(SystemCall.Failure) -> Bool {
        guard let found = try SystemCall.status(of: name, in: folder) else {
            if case .current = self { throw SystemCall.Failure(code: EBUSY) }
            return false
        }
        guard found.isRegular else {
            let kind = found.st_mode & S_IFMT
            throw SystemCall.Failure(code: kind == S_IFLNK ? ELOOP : kind == S_IFDIR ? EISDIR : EEXIST)
        }
        switch self {
        case .any: return true
        case .nothing: throw SystemCall.Failure(code: EEXIST)
        case .own(nil): break
        case .own(let isOwn?):
            let file = try SystemCall.open(name, in: folder, O_RDONLY)
            guard try isOwn(file, found) else { throw SystemCall.Failure(code: EEXIST) }
            // Reading it may have taken a while.
            return try Self.current(found).check(name, in: folder, owner: owner)
        case .current(let known):
            // The time of the last change, too, which no program can set back.
            let isSame =
                found.st_ino == known.st_ino && found.st_dev == known.st_dev && found.length == known.length
                && found.lastModified == known.lastModified && found.lastChange == known.lastChange
            guard isSame else { throw SystemCall.Failure(code: EBUSY) }
        }
        // For the superuser, too, whom the system would let.
        guard [nil, found.st_uid].contains(owner), found.st_mode & S_IWUSR != 0 else {
            throw SystemCall.Failure(code: EACCES)
        }
        return true
    }

    /// Gives `draft` another name, in this folder or another one, after a last ``check(_:in:owner:)``; throws as that.
    package func put(
        _ draft: String, of folder: Descriptor, as name: String, in target: Descriptor
    ) throws(SystemCall.Failure) {
        let owner = try SystemCall.status(of: draft, in: folder)?.st_uid
        if try !check(name, in: target, owner: owner) {
            do throws(SystemCall.Failure) {
                let call = { System.renameNew(draft, of: folder.number, to: name, in: target.number) }
                return _ = try SystemCall.check(call)
            } catch  where error.isLackOfMeans {
                do throws(SystemCall.Failure) {
                    try SystemCall.check { linkat(folder.number, draft, target.number, name, 0) }
                    return try SystemCall.remove(draft, from: folder)
                } catch  where error.isLackOfMeans || error.isRefusal || error.code == EEXIST {}
            } catch  where error.code == EEXIST {}
            // Something has just got the name, or the file system has no links either: then one looks, and the name is
            // a moment away.
            try check(name, in: target, owner: owner)
        }
        try SystemCall.check { renameat(folder.number, draft, target.number, name) }
    }

    /// The file itself where its path is a link's, or a link's to a link; it need not be there.
    package static func followed(_ url: URL) throws(SystemCall.Failure) -> URL {
        var file = url
        for _ in 0..<40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path) else {
                return file
            }
            file =
                next.hasPrefix("/")
                ? URL(filePath: next) : file.deletingLastPathComponent().appending(path: next)
        }
        throw SystemCall.Failure(code: ELOOP)
    }
}
