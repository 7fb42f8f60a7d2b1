import PictureFiles

// iTerm2's inline images: the terminal reads the picture's file itself. Source: iterm2.com/documentation-images.html.

extension PictureProtocol {
    package static let iterm = PictureProtocol(
        name: "iterm", needsPassthrough: true, needsChafa: false,
        isShown: { $0.program.speaksITerm || $0.program == .xtermJS && $0.answers?.hasSixel == true },
        isShownInTmux: { $0.passesThrough && $0.program.speaksITerm }
    ) { job async throws(Chafa.Fault) -> [PaintedPicture] in
        let isInTmux = job.support.isInTmux
        let isTooLong = job.picture.length > Tmux.longestFile
        let isTooLarge = job.support.program == .xtermJS && job.picture.isBeyondXtermJS
        guard job.support.program.readsFile(of: job.picture.type), !isTooLarge,
            !isInTmux || job.outerPosition != nil && (!isTooLong || job.support.program.takesParts)
        else { return try await job.support.fallback.paint(job) }
        let fit = job.fit
        let (width, height) =
            fit.isExact ? ("\(fit.width)px", "\(fit.height)px") : ("\(fit.columns)", "\(fit.rows)")
        let arguments =
            "inline=1;size=\(job.picture.length);width=\(width);height=\(height);preserveAspectRatio=1"
        guard let position = job.outerPosition else {
            let stream = PictureStream.iterm(
                job.picture, Array("\u{1B}]1337;File=\(arguments):".utf8), closing: [0x07])
            return [PaintedPicture(columns: fit.columns, rows: fit.rows, stream: stream)]
        }
        // tmux does not know of the picture, and does not erase cells it believes to be empty. The picture is placed
        // by the outer screen's cursor, which tmux moves at any time: each sequence saves and restores it.
        let move = "\u{1B}7\u{1B}[\(position.row);\(position.column)H"
        let stream =
            if isTooLong {
                // Several sequences, because tmux only accepts short ones.
                PictureStream.iterm(
                    job.picture, Tmux.wrapped("\u{1B}]1337;MultipartFile=\(arguments)\u{7}".utf8),
                    frame: { Tmux.wrapped("\u{1B}]1337;FilePart=".utf8 + $0 + [0x07]) },
                    closing: Tmux.wrapped("\(move)\u{1B}]1337;FileEnd\u{7}\u{1B}8".utf8))
            } else {
                // What wraps it is ended by `closing`.
                PictureStream.iterm(
                    job.picture, Tmux.wrapped("\(move)\u{1B}]1337;File=\(arguments):".utf8).dropLast(2),
                    closing: Array("\u{7}\u{1B}\u{1B}8\u{1B}\\".utf8))
            }
        let clearing = PictureCells.clearing(columns: fit.columns, rows: fit.rows)
        return [
            PaintedPicture(
                columns: fit.columns, rows: fit.rows,
                erasure: Tmux.wrapped(move.utf8 + clearing + PictureCells.restore),
                before: [], stream: stream, after: [])
        ]
    }
}

extension PictureStream {
    fileprivate static func iterm(
        _ picture: InspectedPicture, _ opening: [UInt8],
        frame: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }, closing: [UInt8]
    ) -> PictureStream {
        PictureStream(source: .file(picture), bytesPerFrame: 3 << 14, opening: opening) { bytes, _, _ in
            frame(bytes.base64)
        } closing: { _ in
            closing
        }
    }
}

extension TerminalProgram {
    package var speaksITerm: Bool {
        switch self {
        case .iTerm2, .wezTerm, .mintty: true
        // Konsole speaks it too, but ignores EXIF orientation, and leaves strips of earlier pictures.
        case .konsole, .xtermJS, .kitty, .ghostty, .wordy, .other: false
        }
    }

    fileprivate var takesParts: Bool { self == .iTerm2(takesParts: true) }

    func readsFile(of type: PictureType) -> Bool {
        switch (self, type) {
        // iTerm2 reads what macOS reads; nothing is known about other terminals that were chosen by name.
        case (.iTerm2, _), (.other, _): true
        case (_, .jpeg), (_, .png), (_, .gif): true
        case (.wezTerm, .webp): true
        default: false
        }
    }
}
