import Foundation
import Synchronization

/// Ctrl-C and SIGTERM: say what is done, then end at once.
///
/// Ends by `_exit`, not by cancelling: every byte that counts is already with the
/// kernel, and cancelling a busy URLSession was measured to take up to 4.5 s.
final class Interrupt {
    private let sources: [any DispatchSourceSignal]

    /// Runs `farewell` on the first signal; a second signal, or a farewell that hangs, ends without it.
    init(farewell: @escaping @Sendable () -> Void) {
        let farewells = DispatchQueue(label: "gallery.farewell")
        let signals = DispatchQueue(label: "gallery.signals")
        let count = Counter()
        sources = [SIGINT, SIGTERM].map { number in
            // The source sees signals only where the default action is off.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: signals)
            source.setEventHandler {
                guard count.next() == 1 else { _exit(ExitStatus.interrupted.rawValue) }
                farewells.async {
                    farewell()
                    _exit(ExitStatus.interrupted.rawValue)
                }
                signals.asyncAfter(deadline: .now() + .milliseconds(150)) {
                    _exit(ExitStatus.interrupted.rawValue)
                }
            }
            source.activate()
            return source
        }
    }

    /// Gives the signals their usual action back.
    func end() {
        for source in sources { source.cancel() }
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }
}

private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
