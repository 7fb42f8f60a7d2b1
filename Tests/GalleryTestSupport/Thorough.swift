import Foundation

/// Whether tests take as long as it takes: with many seeds, and for a whole year.
public enum Thorough {
    /// Whether the environment asks for that.
    public static let isOn = ProcessInfo.processInfo.environment["GALLERY_THOROUGH"] == "1"
}
