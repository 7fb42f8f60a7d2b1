extension PictureChoice: ExpressibleByArgument {
    package static var help: ArgumentHelp { "How to show pictures." }
}
