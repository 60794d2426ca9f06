import Foundation

/// The programs that were built beside the tests.
package enum BuiltProducts {
    /// The path of a program.
    package static func path(_ name: String) -> String {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name).path
    }
}
