import Arguments
import TerminalPictures

extension PictureChoice: ExpressibleByArgument {
    package static var help: ArgumentHelp { "How to show pictures." }
}
