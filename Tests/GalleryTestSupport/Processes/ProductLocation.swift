import Foundation

/// Finds executables of this package, built together with the running tests.
public enum ProductLocation {
    /// The executable called `name`, next to the test bundle.
    ///
    /// Found from the file of the running code, so the build folder and configuration of the tests do not
    /// matter. `GALLERY_PRODUCTS` names another folder, such as that of a release build, for which the tests
    /// themselves are not built.
    public static func executable(_ name: String) throws -> URL {
        var looked: [String] = []
        if let other = ProcessInfo.processInfo.environment["GALLERY_PRODUCTS"] {
            let candidate = URL(filePath: other).appending(path: name, directoryHint: .notDirectory)
            guard isProgram(candidate) else { throw ProductMissing(name: name, looked: [candidate.path]) }
            return candidate
        }
        var folder = ownFile.deletingLastPathComponent()
        // On macOS, the code is in x.xctest/Contents/MacOS, three folders down.
        for _ in 0..<4 {
            let candidate = folder.appending(path: name, directoryHint: .notDirectory)
            if isProgram(candidate) { return candidate }
            looked.append(candidate.path)
            folder.deleteLastPathComponent()
        }
        throw ProductMissing(name: name, looked: looked)
    }

    private static func isProgram(_ file: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
            && !isFolder.boolValue && access(file.path, X_OK) == 0
    }

    private static var ownFile: URL {
        #if os(Linux)
            // For the main program, the loader only knows the word it was started with.
            URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        #else
            var image = Dl_info()
            guard dladdr(#dsohandle, &image) != 0, let name = image.dli_fname else {
                return URL(filePath: CommandLine.arguments[0])
            }
            return URL(filePath: String(cString: name)).resolvingSymlinksInPath()
        #endif
    }
}

/// The executable is not in the folder the tests were built in.
public struct ProductMissing: Error, CustomStringConvertible {
    let name: String
    let looked: [String]

    /// Lists the executable and every path that was tried.
    public var description: String {
        "'\(name)' is not built. Looked for \(looked.joined(separator: ", "))."
    }
}
