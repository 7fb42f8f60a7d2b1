/// A part that is ours, and what of it can be gone on from.
struct ResumablePart: Sendable {
    /// What stands under a part's name.
    enum Found {
        case ours(ResumablePart)
        /// Another process writes it; bytes so far.
        case others(length: Int64)
    }

    let file: PartFile
    /// What to ask the host to go on from; `nil` to ask for everything.
    let offer: ResumeOffer?
    /// Of which file its bytes are; `nil` where there are none.
    let note: PartNote?
    /// Whether no byte is missing, only the name.
    let isWhole: Bool

    /// Opens the part of `place`, and cuts off what cannot be trusted.
    ///
    /// - Parameter mayResume: false to throw away what is there.
    static func open(
        _ place: Destination, for item: DownloadItem, mayResume: Bool
    ) throws(DownloadError) -> Found {
        guard let file = try PartFile.open(place) else {
            let status = try? SystemCall.status(of: place.part, in: place.folder)
            return .others(length: status?.length ?? 0)
        }
        let length = try file.length()
        guard length > 0 else {
            return .ours(ResumablePart(file: file, offer: nil, note: nil, isWhole: false))
        }
        guard mayResume, let note = file.note(), note.describes(item) else {
            try file.truncate(to: 0)
            return .ours(ResumablePart(file: file, offer: nil, note: nil, isWhole: false))
        }
        let trusted = note.trusted(length: length, boot: BootSession.id)
        if trusted < length { try file.truncate(to: trusted) }
        let offer = note.offer(length: trusted)
        let isWhole = offer != nil && note.total == trusted
        return .ours(ResumablePart(file: file, offer: offer, note: note, isWhole: isWhole))
    }
}
