/// Decides which worker carries which request, and what becomes of requests whose worker dies: a value, so
/// that every order of events can be tested.
///
/// Most requests share workers: a second one as soon as two requests overlap, since URLSession does the work of
/// all its tasks on one core. When such a worker dies, any of its requests may be the reason: each is suspected,
/// and tried again alone, one after the other, in a worker for suspects. The one that ends that worker too is the
/// culprit; the others arrive.
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
        /// Whether all of the reply has come, so that its connection is free.
        var isAnswered = false
        /// How often its worker was killed from outside.
        var kills = 0
    }

    /// After so many kills of a request's workers it is given up.
    private static let mostKills = 3

    /// A worker that takes requests nobody suspects.
    private struct Shared {
        let worker: Worker
        /// How many requests it has taken.
        var count = 0
    }

    /// Requests after which a worker is replaced, which ends whatever URLSession leaks.
    private let lifetime: Int
    /// The most workers that share requests, from 1.
    private var width: Int
    private var requests: [ID: Request] = [:]
    private var running: [Worker: Set<ID>] = [:]
    private var launched = 0
    private var hasEverStarted = false
    private var worksDirectly = false

    private var shared: [Shared] = []
    /// The worker that takes one suspect at a time.
    private var solo: Worker?
    /// Suspects in the order in which they are to be tried.
    private var waiting: [ID] = []
    /// Addresses that were on the wire when a worker died, and have not arrived since.
    private var suspects: Set<String> = []

    init(lifetime: Int = 4000, width: Int = 1) {
        self.lifetime = max(1, lifetime)
        self.width = max(1, width)
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
        return share(id)
    }

    /// A worker is ready.
    mutating func started() { hasEverStarted = true }

    /// The receiver has seen a part of the reply.
    mutating func replyBegan(_ id: ID) { requests[id]?.hasBegun = true }

    /// All of the reply has come, or its worker has given up; the receiver is told before the request ends.
    mutating func answered(_ id: ID) { requests[id]?.isAnswered = true }

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
        shared.removeAll { $0.worker == worker }
        if death == .neverStarted {
            return wasSolo || shared.isEmpty ? giveUpStarting(lost) : goOnWithFewer(lost)
        }
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

    /// The others carry the requests of one that could not be started, and no further one is tried.
    private mutating func goOnWithFewer(_ lost: [ID]) -> [Effect] {
        width = shared.count
        return lost.flatMap { share($0) }
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

    private mutating func share(_ id: ID) -> [Effect] {
        var effects: [Effect] = []
        let worker = leastBusy(&effects)
        running[worker]?.insert(id)
        return effects + [.send(id, worker)]
    }

    /// The shared worker for the next request, which may be a new one.
    ///
    /// The first of the least busy ones: each keeps as many connections open as it has ever had requests at once,
    /// and in this way those are no more together than the requests at once of all.
    private mutating func leastBusy(_ effects: inout [Effect]) -> Worker {
        let loads = shared.map { shared in
            running[shared.worker]?.count { requests[$0]?.isAnswered == false } ?? 0
        }
        var next = loads.indices.min { loads[$0] < loads[$1] } ?? shared.endIndex
        if shared.isEmpty || shared.count < width && loads[next] > 0 {
            next = shared.endIndex
            shared.append(Shared(worker: launch(&effects)))
        }
        let worker = shared[next].worker
        shared[next].count += 1
        // A worker that is full finishes what it carries, and is closed then.
        if shared[next].count >= lifetime { shared.remove(at: next) }
        return worker
    }

    private mutating func launch(_ effects: inout [Effect]) -> Worker {
        launched += 1
        running[launched] = []
        effects.append(.launch(launched))
        return launched
    }

    private mutating func closeIfDone(_ worker: Worker) -> [Effect] {
        guard !shared.contains(where: { $0.worker == worker }), running[worker]?.isEmpty == true else {
            return []
        }
        running[worker] = nil
        return [.close(worker)]
    }
}
