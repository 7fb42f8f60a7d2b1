/// Whether a part is a whole picture.
enum PartCheck {
    /// The type of the picture in `part`.
    ///
    /// - Parameter total: the whole file's length; `nil` where nobody announced it.
    /// - Throws: ``DownloadError`` where it is none, or not whole.
    static func type(
        of part: PartFile, length: Int64, total: Int64?, host: String
    ) throws(DownloadError) -> PictureType {
        if let total, length != total {
            throw .incomplete(host: host, reason: "it has \(length) of \(total) bytes")
        }
        guard length > 0 else { throw .empty(host: host) }
        do {
            switch try PictureFile.examine(descriptor: part.file.number, length: length) {
            case .whole(let type, _): return type
            case .torso(let reason): throw DownloadError.incomplete(host: host, reason: reason)
            case .notAPicture(let found): throw DownloadError.notAPicture(host: host, found: found)
            }
        } catch let error as DownloadError {
            throw error
        } catch {
            throw .cannotWrite(path: part.place.shown(part.place.part), reason: "it cannot be read back")
        }
    }
}
