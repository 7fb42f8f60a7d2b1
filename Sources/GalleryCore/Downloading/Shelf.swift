/// The finished files of one folder.
struct Shelf: Sendable {
    let folder: TargetFolder

    /// The file of `item`, where it is there and whole.
    func kept(_ item: DownloadItem, at place: Place) throws(DownloadError) -> DownloadedFile? {
        for type in PictureType.allCases {
            let name = place.leaf + "." + type.fileExtension
            guard let status = try? SystemCall.status(of: name, in: place.folder), status.isRegular else {
                continue
            }
            return DownloadedFile(url: place.url(name), bytes: status.length, status: .kept)
        }
        return nil
    }

    /// Gives a whole part its name.
    func put(
        _ part: PartFile, of item: DownloadItem, type: PictureType, length: Int64,
        status: DownloadedFile.Status
    ) throws(DownloadError) -> DownloadedFile {
        let name = part.place.leaf + "." + type.fileExtension
        try part.sync()
        try part.rename(to: name)
        return DownloadedFile(url: part.place.url(name), bytes: length, status: status)
    }
}
