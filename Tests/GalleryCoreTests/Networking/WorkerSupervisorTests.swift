import GalleryTestSupport
import Testing

@testable import GalleryCore

@Suite struct WorkerSupervisorTests {
    private typealias Effect = WorkerSupervisor.Effect

    @Test func `one worker carries all, started at the first request`() {
        var supervisor = WorkerSupervisor()
        #expect(supervisor.begin(1, to: "a") == [.launch(1), .send(1, 1)])
        supervisor.started()
        #expect(supervisor.begin(2, to: "b") == [.send(2, 1)])
        #expect(supervisor.ended(1) == [])
        #expect(supervisor.ended(2) == [])
        #expect(supervisor.begin(3, to: "c") == [.send(3, 1)])
        #expect(supervisor.isRunning(3, on: 1))
        #expect(!supervisor.isRunning(2, on: 1))
        #expect(!supervisor.isRunning(3, on: 2))
    }

    @Test func `a worker is replaced after its lifetime, and closed once its last request has ended`() {
        var supervisor = WorkerSupervisor(lifetime: 2)
        #expect(supervisor.begin(1, to: "a") == [.launch(1), .send(1, 1)])
        #expect(supervisor.begin(2, to: "b") == [.send(2, 1)])
        #expect(supervisor.begin(3, to: "c") == [.launch(2), .send(3, 2)])
        #expect(supervisor.ended(1) == [])
        #expect(supervisor.ended(2) == [.close(1)])
        #expect(supervisor.died(1, .killed) == [])
        #expect(supervisor.ended(3) == [])
    }

    @Test func `a second worker comes with the first overlap, and the less busy one gets the next request`() {
        var supervisor = WorkerSupervisor(width: 2)
        #expect(supervisor.begin(1, to: "a") == [.launch(1), .send(1, 1)])
        #expect(supervisor.ended(1) == [])
        #expect(supervisor.begin(2, to: "b") == [.send(2, 1)])
        // Its connection is free, although the receiver is still busy with what came.
        supervisor.answered(2)
        #expect(supervisor.begin(8, to: "h") == [.send(8, 1)])
        #expect(supervisor.ended(2) + supervisor.ended(8) == [])
        #expect(supervisor.begin(2, to: "i") == [.send(2, 1)])
        #expect(supervisor.begin(3, to: "c") == [.launch(2), .send(3, 2)])
        #expect(supervisor.begin(4, to: "d") == [.send(4, 1)])
        #expect(supervisor.begin(5, to: "e") == [.send(5, 2)])
        #expect(supervisor.ended(2) + supervisor.ended(4) == [])
        #expect(supervisor.begin(6, to: "f") == [.send(6, 1)])
        // A crash is the business of its own requests.
        #expect(supervisor.died(2, .crashed) == [.launch(3), .send(3, 3)])
        #expect(supervisor.begin(7, to: "g") == [.launch(4), .send(7, 4)])
        #expect(supervisor.isRunning(6, on: 1))
    }

    @Test(arguments: 1...9) func `workers keep no more connections together than there are requests at once`(
        most: Int
    ) {
        var generator = SeededGenerator(seed: UInt64(most))
        var supervisor = WorkerSupervisor(width: 2)
        var (last, carried, peaks) = (UInt32(0), [UInt32: Int](), [Int: Int]())
        for _ in 0..<2000 {
            if carried.count < most, carried.isEmpty || Bool.random(using: &generator) {
                last += 1
                for case .send(let id, let worker) in supervisor.begin(last, to: "\(last)") {
                    carried[id] = worker
                    let load = carried.values.count { $0 == worker }
                    peaks[worker] = max(peaks[worker] ?? 0, load)
                }
            } else if let id = carried.keys.sorted().randomElement(using: &generator) {
                _ = supervisor.ended(id)
                carried[id] = nil
            }
        }
        #expect(peaks.values.reduce(0, +) == most)
        #expect(peaks.count == min(2, most))
    }

    @Test func `where a second worker does not start the first one does it all`() {
        var supervisor = WorkerSupervisor(width: 2)
        _ = supervisor.begin(1, to: "a") + supervisor.begin(2, to: "b")
        #expect(supervisor.died(2, .neverStarted) == [.send(2, 1)])
        #expect(supervisor.begin(3, to: "c") == [.send(3, 1)])
        #expect(
            supervisor.died(1, .neverStarted) == [.sendDirectly(1), .sendDirectly(2), .sendDirectly(3)])
    }

    @Test func `of those in flight at a crash, each is tried alone, and the culprit fails`() {
        var supervisor = WorkerSupervisor()
        for id in 1...3 { _ = supervisor.begin(UInt32(id), to: "\(id)") }
        supervisor.started()
        #expect(supervisor.died(1, .crashed) == [.launch(2), .send(1, 2)])
        // Others go on beside them.
        #expect(supervisor.begin(4, to: "4") == [.launch(3), .send(4, 3)])
        #expect(supervisor.ended(1) == [.send(2, 2)])
        #expect(supervisor.died(2, .crashed) == [.fail(2, .unreadable), .launch(4), .send(3, 4)])
        #expect(supervisor.ended(3) == [.close(4)])
        #expect(supervisor.ended(4) == [])
        // The one that arrived is trusted again, the other is not.
        #expect(supervisor.begin(5, to: "1") == [.send(5, 3)])
        #expect(supervisor.begin(6, to: "2") == [.launch(5), .send(6, 5)])
    }

    @Test func `a reply that has begun is given back, and its request tried alone when it comes again`() {
        var supervisor = WorkerSupervisor()
        _ = supervisor.begin(1, to: "a") + supervisor.begin(2, to: "b")
        supervisor.started()
        supervisor.replyBegan(2)
        #expect(
            supervisor.died(1, .killed) == [.fail(2, .interrupted), .launch(2), .send(1, 2)])
        #expect(supervisor.begin(3, to: "b") == [])
        #expect(supervisor.ended(1) == [.send(3, 2)])
        supervisor.replyBegan(3)
        #expect(supervisor.died(2, .crashed) == [.fail(3, .unreadable)])
    }

    @Test func `who is killed from outside is tried again, not for ever`() {
        var supervisor = WorkerSupervisor()
        _ = supervisor.begin(1, to: "a")
        supervisor.started()
        #expect(supervisor.died(1, .killed) == [.launch(2), .send(1, 2)])
        #expect(supervisor.died(2, .killed) == [.launch(3), .send(1, 3)])
        #expect(supervisor.died(3, .killed) == [.launch(4), .send(1, 4)])
        #expect(supervisor.died(4, .killed) == [.fail(1, .noWorker)])
    }

    @Test func `where none can be started everything is sent from here`() {
        var supervisor = WorkerSupervisor()
        _ = supervisor.begin(1, to: "a") + supervisor.begin(2, to: "b")
        #expect(supervisor.died(1, .neverStarted) == [.sendDirectly(1), .sendDirectly(2)])
        #expect(supervisor.begin(3, to: "c") == [.sendDirectly(3)])
        #expect(supervisor.ended(1) == [])
    }

    @Test func `what may have ended a worker is never sent from here`() {
        var supervisor = WorkerSupervisor()
        _ = supervisor.begin(1, to: "a") + supervisor.begin(2, to: "b")
        supervisor.started()
        #expect(supervisor.died(1, .crashed) == [.launch(2), .send(1, 2)])
        #expect(supervisor.died(2, .neverStarted) == [.fail(1, .noWorker), .launch(3), .send(2, 3)])
    }

    @Test func `one that waits can be cancelled, one that runs must end`() {
        var supervisor = WorkerSupervisor()
        _ = supervisor.begin(1, to: "a") + supervisor.begin(2, to: "b")
        supervisor.started()
        _ = supervisor.died(1, .crashed)
        let over = [1, 2, 99].map { supervisor.cancelled($0) }
        #expect(over == [false, true, false])
        #expect(supervisor.ended(1) == [.close(2)])
        #expect(supervisor.ended(1) == [])
    }
}
