import GalleryCore

/// The service of lines that name none, and who says so.
enum UsualService {
    /// The environment, whatever it says: perhaps no service's name.
    case environment(String)
    case configuration(String)
    /// Nobody.
    case standard

    init(_ context: Context) {
        if let name = context.environment["GALLERY_SERVICE"], !name.isEmpty {
            self = .environment(name)
        } else {
            self = context.configuration.service.map { .configuration($0) } ?? .standard
        }
    }

    var name: String {
        switch self {
        case .environment(let name), .configuration(let name): name
        case .standard: ServiceCatalog.names[0]
        }
    }
}
