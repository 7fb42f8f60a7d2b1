import Arguments

/// How pictures are shown, as `--picture` of `browse` names it.
///
///     @Option(help: PictureChoice.help)
///     var picture = PictureChoice.auto
///
/// `show` has a flag of the same name, which stands for `auto`.
enum PictureChoice: String, ExpressibleByArgument, CaseIterable {
    /// What the terminal is found to do.
    case auto
    /// The protocols of kitty and of iTerm2, and DEC's sixels, whatever the terminal says.
    case kitty, iterm, sixel
    /// Coloured characters.
    case symbols
    /// Words only.
    case none

    static var help: ArgumentHelp { "How the pictures are shown." }
}
