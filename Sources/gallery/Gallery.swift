import Arguments
import GalleryCore

@main
enum Gallery {
    static func main() {}
}
