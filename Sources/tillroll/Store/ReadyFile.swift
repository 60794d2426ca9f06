import ArgumentParser
import Foundation
import FoundationExtras
import PrivateFiles
import StoreProtocol

/// The file that describes a running store to scripts, to `store env` and to `store down`.
///
/// The file exists while the store responds. Only the owner can read the file, because the file contains the store's token.
struct ReadyFile: Sendable {
    /// The file of a store in the background, in the folder in which the store was started.
    static let defaultPath = "tillroll-store.json"

    /// The option that names the file in a command; empty for the file that commands use by default.
    let option: String
    /// The file's absolute path.
    let path: String
    private let file: ProcessFile

    /// The path of the log of a store in the background, beside the file.
    var logPath: String {
        (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + ".log"
    }

    /// Reserves the path of a ready file for this process.
    ///
    /// - Throws: A usage error if another store uses the path, or if a file of another kind has the path.
    init(reserving path: String) throws {
        option = Self.option(path)
        self.path = Self.absolute(path)
        do throws(ProcessFile.Failure) {
            file = try ProcessFile(reserving: self.path) { (try? Self.decode($0)) != nil }
        } catch {
            let shown = TerminalText.safe(path)
            switch error {
            case .published:
                throw ValidationError(
                    "\(Self.running(at: self.path)) runs already, and \(shown) describes the store. "
                        + "Stop the store with `tillroll store down\(option)`, or give another file with --ready-file.")
            case .reserved:
                throw ValidationError("Another store with the ready file \(shown) is starting. Give another file with --ready-file.")
            case .unrelated:
                throw ValidationError("\(shown) exists and is not a ready file. Remove the file, or give another file with --ready-file.")
            case .write:
                throw ValidationError("\(shown) can't be written. Give another file with --ready-file.")
            }
        }
    }

    /// Writes the file, which appears at its path only when complete.
    ///
    /// - Throws: A usage error if the file can't be written.
    func publish(_ line: String) throws {
        do { try file.publish(Data((line + "\n").utf8)) } catch {
            throw ValidationError("\(path) can't be written. Give another file with --ready-file.")
        }
    }

    func remove() { file.remove() }

    private static func running(at path: String) -> String {
        guard let published = ProcessFile.published(at: path), let output = try? decode(published.data) else { return "A store" }
        return "A store at \(output.store.url) (process \(output.pid))"
    }

    /// Returns the option that names a ready file, beginning with a space.
    fileprivate static func option(_ path: String) -> String {
        path == defaultPath ? "" : " --ready-file \(ShellText.quoted(path))"
    }

    fileprivate static func absolute(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }

    fileprivate static func decode(_ data: Data) throws -> StoreUpOutput { try WireJSON.decode(StoreUpOutput.self, from: data) }
}

/// The command-line option for the ready file of a running store.
struct ReadyFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file that `store up --ready-file` wrote (default: \(ReadyFile.defaultPath), the file of `store up --detach`).",
            valueName: "file"), transform: nonEmptyPath)
    var readyFile: String?

    var path: String { readyFile ?? ReadyFile.defaultPath }

    /// Returns the description of the store, and the identifier of its process; nil for a process in another container.
    ///
    /// - Throws: `ExitCode.indeterminate`, after a message, if the store does not run; a usage error for a file of another kind.
    func runningStore() throws -> (store: StoreUpOutput, process: Int32?) {
        let (shown, option) = (TerminalText.safe(path), ReadyFile.option(path))
        let start = "Start a store with: tillroll store up --detach\(option)"
        guard let published = ProcessFile.published(at: ReadyFile.absolute(path)) else {
            StandardError.line("Error: No store has the ready file \(shown). \(start)")
            throw ExitCode.indeterminate
        }
        guard let store = try? ReadyFile.decode(published.data) else {
            throw ValidationError("\(shown) is not a ready file. Give the file of a store with --ready-file.")
        }
        guard published.isRunning else {
            StandardError.line("Error: The store at \(store.store.url), which \(shown) describes, has ended. \(start)")
            throw ExitCode.indeterminate
        }
        return (store, published.process)
    }

    /// Returns whether a process is still the running store.
    func isRunning(_ process: Int32) -> Bool {
        ProcessFile.published(at: ReadyFile.absolute(path))?.process == process
    }
}

/// Text for the command line of a POSIX shell.
enum ShellText {
    /// The characters that have no meaning for a shell.
    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,=-")

    /// Returns a text as one word of a command line, in apostrophes if a character has a meaning for a shell, or if the text is empty.
    static func quoted(_ text: String) -> String {
        guard text.isEmpty || !text.allSatisfy(plain.contains) else { return text }
        return inApostrophes(text)
    }

    /// Returns a text in apostrophes, between which only an apostrophe has a meaning.
    static func inApostrophes(_ text: String) -> String {
        "'\(text.replacingOccurrences(of: "'", with: "'\\''"))'"
    }
}
