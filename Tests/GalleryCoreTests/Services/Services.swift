import Foundation

@testable import GalleryCore

// Services at a server of a test's, by the names that the catalog has for them.

extension WebAPI {
    init(_ name: String, at base: URL?, key: Secret? = nil) {
        self = ServiceCatalog.entries.filter { $0.name == name }[0].api(at: base, key: key)
    }
}

extension FiveHundredPixels {
    init(base: URL?, key: Secret?) { self.init(api: WebAPI("500px", at: base, key: key)) }
}

extension Flickr {
    init(base: URL?, key: Secret?) { self.init(api: WebAPI("flickr", at: base, key: key)) }
}

extension Pixiv {
    init(base: URL?, session: Secret?) {
        self.init(api: WebAPI("pixiv", at: base, key: session))
    }
}

extension Commons {
    init(base: URL?) { self.init(api: WebAPI("commons", at: base)) }
}

extension DefinedService {
    /// A source that comes with the program.
    init(bundled name: String, base: URL?) {
        self.init(
            definition: SourceDefinition.bundled.filter { $0.name == name }[0], api: WebAPI(name, at: base))
    }
}
