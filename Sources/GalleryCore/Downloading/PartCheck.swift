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
        let firstBytes = try part.read(at: 0, count: 1024)
        guard let type = PictureType(firstBytes: firstBytes) else {
            throw .notAPicture(host: host, found: ImageHeader.description(ofFirstBytes: firstBytes))
        }
        return type
    }
}
