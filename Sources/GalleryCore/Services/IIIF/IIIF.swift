import Foundation

/// The pictures of a IIIF manifest, or of the manifests of a collection, or one picture by its `info.json`: its base is
/// the address of any. Sources: iiif.io/api/presentation/3.0 and 2.1, iiif.io/api/image.
struct IIIF: DocumentService {
    static let word = "iiif"

    let listsTags = false
    let api: WebAPI
    /// The language of labels that have several, such as `en`.
    var language = "en"
    let memory = SharedValue<DocumentWalk?>(nil)
    let kind = DocumentKind(
        name: "manifest", mediaTypes: "application/ld+json, application/json", most: 10_000, isChain: false)

    func read(_ reply: HTTPReply) throws(ServiceError) -> LinkedDocument {
        let document = try IIIFDocument(name, reply.body, at: reply.head.url, language: language)
        return LinkedDocument(photos: document.photos, next: document.documents)
    }

    static func isManifest(_ page: PageAddress) -> Bool {
        let words = page.path.map { $0.lowercased() }
        return ["manifest.json", "collection.json", "info.json"].contains(words.last)
            || words.contains { ["manifest", "manifests"].contains($0) }
            || words.contains("presentation") && (words + [page.host]).contains { $0.contains("iiif") }
    }

    /// The language of the environment, such as `de` of `de_DE.UTF-8`.
    static var usualLanguage: String {
        let environment = ProcessInfo.processInfo.environment
        let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let code = (name ?? "").prefix { $0.isLetter }.lowercased()
        return (2...3).contains(code.count) ? code : "en"
    }
}
