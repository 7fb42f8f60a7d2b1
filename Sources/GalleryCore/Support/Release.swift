/// This release of the library and the program.
package enum Release {
    /// The version, as users and hosts are told it.
    package static let version = "0.1.0"
}
