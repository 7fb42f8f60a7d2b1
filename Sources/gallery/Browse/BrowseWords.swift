import Curation

/// What browsing says on a screen and in lines alike.
enum BrowseWords {
    static let noCommand = "To run a command here, start with '--exec <command>'."
    static let noFile = "Only files of the service 'folder' can be moved to the trash."
    static let noTrash = "Nothing was moved to the trash yet."
    static let noOrder = "Only a folder has several orders here."
    static let tooFew = "A tournament needs two photos."
    /// Without a period: what to do about it follows.
    static let tooMany = "A tournament takes \(Tournament.mostPhotos) photos at most"
    static let tournamentKept = "The tournament is kept; T takes it up."
    static let noChoice = "Nothing was chosen yet."
}
