/// How memory is allotted.
enum Memory {
    /// Has all threads share one place to take memory from.
    ///
    /// glibc gives each thread its own, up to eight times as many as there are cores, and keeps in each what is
    /// free there: 16 of 86 MB at the end of a fetch of 100,000 photos, which is no slower with one. Other
    /// systems have no such thing.
    static func keepTogether() {
        #if canImport(Glibc)
            // `M_ARENA_MAX`, malloc.h.
            _ = GNU.mallopt?(-8, 1)
        #endif
    }
}
