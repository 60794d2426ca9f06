public import Logging

extension Logger {
    /// A logger without output.
    public static let silent = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
}
