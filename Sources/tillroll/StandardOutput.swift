import Foundation

/// Where the command's answers go: a line at a time and unbuffered, so that a pipe shows progress, too.
enum StandardOutput {
    /// Writes a line; when nobody reads any more, as in `tillroll tour | head`, there is nobody to tell, and it is dropped.
    static func line(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }
}
