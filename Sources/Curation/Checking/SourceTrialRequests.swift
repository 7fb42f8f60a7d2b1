import GalleryCore

extension SourceTrial {
    /// Asks the host for the first feed's first page, and for its first photo where the definition has a second stage.
    package static func all(
        of definition: SourceDefinition, key: Secret?, _ client: APIClient
    ) async throws(ServiceError) -> [SourceTrial] {
        let service = DefinedService(definition: definition, api: definition.entry.api(key: key))
        guard let feed = Feed.trials.first(where: { definition.feeds[$0.word] != nil }) else { return [] }
        var client = client
        client.policy = definition.policy
        let start = try service.request(
            feed, ["page": "\(definition.firstPage)", "offset": "0", "size": "\(definition.pageSize)"])
        guard let list = try await client.replies(to: [start]).first?.get() else { return [] }
        let trial = try SourceTrial(definition, reply: list)
        guard definition.detail != nil, let id = trial.fields.first(where: { $0.name == "id" })?.value,
            case .send(let requests, _) = try service.details(
                of: [Photo(id: PhotoID(service: service.name, value: id), title: "")]),
            let photo = try await client.replies(to: Array(requests.prefix(1))).first?.get()
        else { return [trial] }
        return [trial, try SourceTrial(definition, reply: photo)]
    }
}
