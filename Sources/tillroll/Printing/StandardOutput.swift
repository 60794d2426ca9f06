import ArgumentParser
import Foundation

/// Where the command's answers go: unbuffered, so that a pipe shows progress, too.
enum StandardOutput {
    /// The exit code when answers can't be written (`EX_IOERR` of sysexits.h); apart from those that say something about data.
    static let failure = ExitCode(74)

    /// Writes a line; when nobody reads any more, as in `tillroll tour | head`, there is nobody to tell, and it is dropped.
    static func line(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Writes lines that must arrive.
    ///
    /// A reader that went away, as `head` does, has what it wants, and the exit code still tells the result.
    ///
    /// - Throws: ``failure`` after a sentence on standard error, for a full device and the like.
    static func lines(_ lines: [String]) throws(ExitCode) {
        try bytes(Array(lines.map { $0 + "\n" }.joined().utf8))
    }

    /// Writes bytes that must arrive, like ``lines(_:)``.
    static func bytes(_ bytes: [UInt8]) throws(ExitCode) {
        guard FileDescriptor.standardOutput.isStream else { return }
        do { try FileDescriptor.standardOutput.write(bytes) } catch {
            guard error.number != EPIPE else { return }
            StandardError.line("Error: The answer can't be written: \(error). Free some space or choose another place, and try again.")
            throw failure
        }
    }
}
