import Foundation

/// This release of the library and the program.
package enum Release {
    /// The version, as users and hosts are told it.
    package static let version = "0.1.0"

    /// The version, and in a second line what an installation says of its commit and its Swift.
    package static var description: String {
        (version + "\n" + ((try? Resources.text(of: "build.txt")) ?? "")).trimmingCharacters(in: .newlines)
    }
}
