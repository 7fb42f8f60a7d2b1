/// This release of the library and the program.
package enum Release {
    /// The version, as users and hosts are told it.
    package static let version = "0.1.0"

    /// The day of that version, or of what was last changed after it.
    package static let date = "2026-11-23"
}
