import Foundation

/// The executables in the tests' build folder.
package enum BuiltProducts {
    /// The path of an executable.
    package static func path(_ name: String) -> String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
    }
}
