import GalleryCore

extension Context {
    /// Loaders of every service, the one of `address` among them, with its key if `sendsKey`: not at an address that
    /// the user has not named. `report` is told what a user may want to see while waiting, beside standard error.
    func loaders(
        _ service: ServiceOptions, at address: ServiceAddress, connections: Int = 6, sendsKey: Bool = true,
        report: @escaping @Sendable (APIEvent) -> Void = { _ in }
    ) -> ServiceLoaders {
        let wait = waitReport(service)
        var configuration = APIClient.Configuration()
        configuration.idleTimeout = service.idleTimeout
        configuration.retries = service.retries
        configuration.refreshes = service.refresh
        let message: @Sendable (String) -> Void = { [terminal] in terminal.message(PlainText.line($0)) }
        let web = URLSessionTransport(
            workers: workers(), connections: connections, contact: self.configuration.contact,
            log: service.verbose ? message : nil, replied: contactAdvice(service, at: address))
        let noted = NotedFiles()
        return ServiceLoaders(
            sendsKey ? catalog : catalog.withoutKey(of: address.service), at: address,
            bases: self.configuration.baseURLs, noted: noted,
            client: APIClient(
                transport: catalog.transport(for: address, noted: noted, web: web),
                configuration: configuration, shared: shared
            ) { event in
                wait(event)
                report(event)
            })
    }

    /// Says once how to name an operator to a host that refuses requests for their number and counts by operator.
    private func contactAdvice(
        _ service: ServiceOptions, at address: ServiceAddress
    ) -> @Sendable (HTTPHead) -> Void {
        guard configuration.contact == nil, !service.quiet else { return { _ in } }
        let base = (address.service == "commons" ? address.base : nil) ?? configuration.baseURLs["commons"]
        let isUnsaid = SharedValue(true)
        return { [terminal] head in
            guard head.status == 429, ServiceCatalog.countsByOperator(head.url, base: base),
                isUnsaid.withLock({ isUnsaid in
                    defer { isUnsaid = false }
                    return isUnsaid
                })
            else { return }
            terminal.message(
                "Help: Wikimedia allows more requests to those who name themselves: 'gallery config set contact <mail address or website>'."
            )
        }
    }

    /// Reports waits of half a second or more; with `-v` all, requests left, and replies from the cache. Counts photos
    /// that could not be read, to be told once.
    func waitReport(_ service: ServiceOptions) -> @Sendable (APIEvent) -> Void {
        { [terminal, leftOut, isVerbose = service.verbose, isQuiet = service.quiet] event in
            if case .passedOver(let service, let reason, let isFault) = event {
                leftOut.passOver(service, reason, isFault: isFault, terminal, isQuiet: isQuiet)
            }
            if case .leftOut(_, let errors) = event {
                for error in errors {
                    guard case .endsEarly(let service, _, let isFault) = error, isFault || isVerbose else {
                        continue
                    }
                    leftOut.passOver(service, error.description, isFault: isFault, terminal, isQuiet: isQuiet)
                }
            }
            guard !isQuiet else { return }
            switch event {
            case .passedOver: break
            case .reused(let address):
                if isVerbose { terminal.message("GET \(PlainText.line(address)) (cached)") }
            case .budget(let host, let budgets):
                let left = budgets.map(\.text).joined(separator: ", ")
                if isVerbose { terminal.message(PlainText.line("Requests left at '\(host)': \(left).")) }
            case .leftOut(let list, let errors):
                leftOut.add(errors, of: list, names: isVerbose ? { terminal.message($0) } : nil)
            case .waiting(_, let duration, let reason):
                if duration >= .milliseconds(500) || isVerbose {
                    let seconds = Int((duration / .seconds(1)).rounded(.up))
                    terminal.message("Waiting \(seconds) s: \(PlainText.line(reason)).")
                }
            }
        }
    }

    /// The folder of pictures kept for viewing; missing ones come through `transport`.
    func pictures(through transport: any HTTPTransport, _ service: ServiceOptions) -> PictureFolder {
        PictureFolder(
            folders.pictures,
            downloader: Downloader(
                transport: transport, configuration: service.downloads(jobs: 1), paces: shared.paces))
    }
}
