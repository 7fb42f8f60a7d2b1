import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What one file of a folder is found to be, by its bytes.
enum FolderFile {
    /// A whole picture; its size, where the picture says.
    case picture(PixelSize?)
    /// Something with a picture's name that is none, or not a whole one, and why.
    case broken(reason: String)
    /// Neither a picture nor something that claims to be one; or it is gone.
    case other

    /// Looks into the file at `path`, which may be a link that stays below `root`.
    init(at path: String, below root: String) {
        do {
            guard let file = try Self.open(path, below: root) else {
                self = .other
                return
            }
            let status = try SystemCall.status(of: file)
            guard status.isRegular else {
                self = .other
                return
            }
            switch try PictureFile.examine(descriptor: file.number, length: status.length) {
            case .whole(_, let size): self = .picture(size)
            case .torso(let reason): self = .broken(reason: "the picture is broken: \(reason)")
            case .notAPicture(let found): self = Self.failure(path, "it is no picture: it holds \(found)")
            }
        } catch let error as SystemCall.Failure {
            self = error.code == ENOENT ? .other : Self.failure(path, error.reason)
        } catch {
            self = Self.failure(path, "it could not be read")
        }
    }

    /// A picture's metadata from the note beside it; `nil` where it is none of ours.
    static func metadata(at path: String, below root: String) -> IndexedPhoto? {
        guard let file = try? open(path, below: root), let length = try? SystemCall.status(of: file).length,
            length <= noteLimit, let bytes = try? SystemCall.read(file, at: 0, count: Int(length))
        else { return nil }
        return try? JSONDecoder().decode(IndexedPhoto.self, from: Data(bytes))
    }

    /// Bytes of a note, at most: a page of a hundred photos with notes must stay below what a list may weigh.
    private static let noteLimit: Int64 = 256 * 1024

    /// Only something that is called a picture is missed where it is none.
    private static func failure(_ path: String, _ reason: String) -> FolderFile {
        stem(path) == path ? .other : .broken(reason: reason)
    }

    /// The name without a picture's ending; as it is where it has none.
    static func stem(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex,
            endings.contains(name[dot...].dropFirst().lowercased())
        else { return name }
        return String(name[..<dot])
    }

    private static let endings: Set = ["jpg", "jpeg", "jpe", "jfif", "png", "apng", "gif", "webp", "avif"]

    private static func open(_ path: String, below root: String) throws(SystemCall.Failure) -> Descriptor? {
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        do {
            return Descriptor(try SystemCall.check { systemOpen(path, flags) })
        } catch  where error.code == ELOOP {
            guard let target = FolderScan.resolve(path, below: root) else { return nil }
            return Descriptor(try SystemCall.check { systemOpen(target, flags) })
        }
    }
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
