/// Decides which worker carries which request, and what becomes of requests whose worker dies: a value, so
/// that every order of events can be tested.
///
/// Most requests share one worker. When it dies, any of them may be the reason: each is suspected, and tried
/// again alone, one after the other, in a second worker. The one that ends that worker too is the culprit;
/// the others arrive.
struct WorkerSupervisor {
    /// The number of a request.
    typealias ID = UInt32
    /// The number of a worker.
    typealias Worker = Int

    /// What to do, in order.
    enum Effect: Hashable {
        /// Start a worker.
        case launch(Worker)
        /// Pass a request to a worker that was launched.
        case send(ID, Worker)
        /// Close a worker, which carries nothing any more.
        case close(Worker)
        /// End a request. It is known here no longer.
        case fail(ID, CarrierFailure)
        /// Send a request from this process, since no worker can be started. It is known here no longer.
        case sendDirectly(ID)
    }

    /// How a worker ended.
    enum Death: Hashable {
        /// By a fault of its own, such as a trap in the HTTP library.
        case crashed
        /// From outside, or for a reason that is not known.
        case killed
        /// Before it was ready.
        case neverStarted
    }

    private struct Request {
        let address: String
        /// Whether the receiver has seen a part of the reply, so that it cannot be sent again unnoticed.
        var hasBegun = false
        /// How often its worker was killed from outside.
        var kills = 0
    }

    /// After so many kills of a request's workers it is given up.
    private static let mostKills = 3

    /// Requests after which a worker is replaced, which ends whatever URLSession leaks.
    private let lifetime: Int
    private var requests: [ID: Request] = [:]
    private var running: [Worker: Set<ID>] = [:]
    private var launched = 0
    private var hasEverStarted = false
    private var worksDirectly = false

    /// The worker that takes requests nobody suspects, and how many it has taken.
    private var shared: (worker: Worker, count: Int)?
    /// The worker that takes one suspect at a time.
    private var solo: Worker?
    /// Suspects in the order in which they are to be tried.
    private var waiting: [ID] = []
    /// Addresses that were on the wire when a worker died, and have not arrived since.
    private var suspects: Set<String> = []

    init(lifetime: Int = 4000) {
        self.lifetime = max(1, lifetime)
    }

    /// Whether `id` is on `worker`, so that what the worker says of it counts.
    func isRunning(_ id: ID, on worker: Worker) -> Bool { running[worker]?.contains(id) == true }

    /// What `worker` carries.
    func requests(on worker: Worker) -> Set<ID> { running[worker] ?? [] }

    /// The worker that carries `id`.
    func worker(of id: ID) -> Worker? { running.first { $0.value.contains(id) }?.key }

    // MARK: - Events

    /// A request is to be sent.
    mutating func begin(_ id: ID, to address: String) -> [Effect] {
        guard !worksDirectly else { return [.sendDirectly(id)] }
        requests[id] = Request(address: address)
        guard !suspects.contains(address) else {
            waiting.append(id)
            return tryNextAlone()
        }
        var effects: [Effect] = []
        let worker = shared?.worker ?? launch(&effects)
        let count = (shared?.count ?? 0) + 1
        // A worker that is full finishes what it carries, and is closed then.
        shared = count < lifetime ? (worker, count) : nil
        running[worker]?.insert(id)
        return effects + [.send(id, worker)]
    }

    /// A worker is ready.
    mutating func started() { hasEverStarted = true }

    /// The receiver has seen a part of the reply.
    mutating func replyBegan(_ id: ID) { requests[id]?.hasBegun = true }

    /// A request ended, whatever came of it.
    mutating func ended(_ id: ID) -> [Effect] {
        guard let request = requests.removeValue(forKey: id) else { return [] }
        guard let worker = worker(of: id) else {
            waiting.removeAll { $0 == id }
            return []
        }
        running[worker]?.remove(id)
        if worker == solo {
            suspects.remove(request.address)
            return tryNextAlone()
        }
        return closeIfDone(worker)
    }

    /// A request is to be cancelled. Returns whether it is over with that; otherwise its worker will end it.
    mutating func cancelled(_ id: ID) -> Bool {
        guard let index = waiting.firstIndex(of: id) else { return false }
        waiting.remove(at: index)
        requests[id] = nil
        return true
    }

    /// A worker died.
    mutating func died(_ worker: Worker, _ death: Death) -> [Effect] {
        guard let lost = running.removeValue(forKey: worker)?.sorted() else { return [] }
        let wasSolo = worker == solo
        if wasSolo { solo = nil }
        if worker == shared?.worker { shared = nil }
        if death == .neverStarted { return giveUpStarting(lost) }
        let effects = lost.compactMap { wasSolo ? diedAlone($0, death) : diedInCompany($0) }
        return effects + tryNextAlone()
    }

    // MARK: - Decisions

    private mutating func diedInCompany(_ id: ID) -> Effect? {
        guard let request = requests[id] else { return nil }
        suspects.insert(request.address)
        // Its receiver has a part of the reply, and decides how to go on.
        if request.hasBegun { return fail(id, .interrupted) }
        waiting.append(id)
        return nil
    }

    private mutating func diedAlone(_ id: ID, _ death: Death) -> Effect? {
        guard let request = requests[id] else { return nil }
        if death == .crashed { return fail(id, .unreadable) }
        if request.hasBegun { return fail(id, .interrupted) }
        if request.kills + 1 >= Self.mostKills { return fail(id, .noWorker) }
        requests[id]?.kills += 1
        waiting.insert(id, at: 0)
        return nil
    }

    private mutating func giveUpStarting(_ lost: [ID]) -> [Effect] {
        // What has ended a worker must not be let into this process.
        guard !hasEverStarted else { return lost.compactMap { fail($0, .noWorker) } + tryNextAlone() }
        worksDirectly = true
        let all = lost + waiting
        waiting = []
        for id in all { requests[id] = nil }
        return all.map { .sendDirectly($0) }
    }

    private mutating func fail(_ id: ID, _ failure: CarrierFailure) -> Effect {
        requests[id] = nil
        return .fail(id, failure)
    }

    private mutating func tryNextAlone() -> [Effect] {
        if let solo, running[solo]?.isEmpty == false { return [] }
        guard !waiting.isEmpty else {
            guard let idle = solo else { return [] }
            solo = nil
            running[idle] = nil
            return [.close(idle)]
        }
        var effects: [Effect] = []
        let id = waiting.removeFirst()
        let worker = solo ?? launch(&effects)
        solo = worker
        running[worker]?.insert(id)
        return effects + [.send(id, worker)]
    }

    private mutating func launch(_ effects: inout [Effect]) -> Worker {
        launched += 1
        running[launched] = []
        effects.append(.launch(launched))
        return launched
    }

    private mutating func closeIfDone(_ worker: Worker) -> [Effect] {
        guard worker != shared?.worker, running[worker]?.isEmpty == true else { return [] }
        running[worker] = nil
        return [.close(worker)]
    }
}
