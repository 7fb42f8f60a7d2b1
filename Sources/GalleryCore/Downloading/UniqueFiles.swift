/// Of files with the same bytes the first is taken: a value that is asked about one file after another, in
/// the order of the batch.
///
/// It knows files by their prints, and has bytes compared only where these are equal.
struct UniqueFiles {
    /// What files with the same bytes have in common. Others hardly ever, unless somebody sees to it.
    struct Print: Hashable {
        let bytes: Int64
        let digest: String
    }

    /// What the folder has of a photo before its file comes.
    enum Own: Hashable {
        case nothing
        /// Its file, whole: that stays, whatever is decided.
        case whole
        /// A torso of it, or another size: what comes takes its place.
        case torso
    }

    private var standing: [Print: [String]] = [:]
    private var taken: [Print: [String]] = [:]

    /// Notes a file that stood at `path` before the batch.
    mutating func note(standing path: String, _ print: Print) {
        standing[print, default: []].append(path)
    }

    /// Notes a file of the batch that is taken.
    mutating func take(_ path: String, _ print: Print) {
        taken[print, default: []].append(path)
    }

    /// The file because of which the next is left out; `nil` where it is to be taken.
    ///
    /// - Parameters:
    ///   - isNamed: whether its photo was named by itself, which no filter applies to.
    ///   - isSame: whether the file at a path has the very bytes.
    func twin(of print: Print, isNamed: Bool, own: Own, isSame: (String) -> Bool) -> String? {
        guard !isNamed else { return nil }
        let before = taken[print] ?? []
        switch own {
        case .nothing: return (before + (standing[print] ?? [])).first(where: isSame)
        // Else of two equal files that stand there each would be left out for the other.
        case .whole: return before.first(where: isSame)
        case .torso: return nil
        }
    }
}
