import Foundation

/// Long variants of tests: more seeds, longer scripts.
public enum Thorough {
    /// Whether they run.
    public static let isOn = ProcessInfo.processInfo.environment["GALLERY_THOROUGH"] == "1"
}
