import ArgumentParser
import Foundation
import Synchronization

// Import both modules, because the import order determines whether `stat` resolves to Glibc or to Foundation.
#if canImport(Glibc)
    import CoreFoundation
    import Glibc
#endif

/// Starts a store in the background, and waits until the store is ready.
///
/// The command starts the store as another process of the same program, in a new session, so that closing the terminal does not end the
/// store. A socket connects the two processes until the store is ready, and carries three messages of one byte: the store reports that it
/// responds, the command confirms the report, and the store reports that its output goes to the log. If the command ends before its
/// confirmation, the store reads the end of the socket, and ends.
enum BackgroundStart {
    /// The option of the process in the background.
    static let option = "--background-process"

    /// Starts a store with the arguments of this command, and returns when the store responds and no longer uses the standard streams of
    /// this process.
    ///
    /// - Throws: A usage error if the process can't be started; the process's exit code, after its error messages, if the process ended
    ///   before the store was ready.
    static func run(_ arguments: [String] = CommandLine.arguments) async throws {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, streamSocket, 0, &pair) == 0, fcntl(pair[0], F_SETFD, FD_CLOEXEC) == 0 else {
            throw ValidationError("A store can't be started in the background: \(SystemError(number: errno)).")
        }
        let (connection, input) = (FileDescriptor(number: pair[0]), FileDescriptor(number: pair[1]))
        let process: Int32
        do throws(SystemError) {
            // Insert the new option after `store up`, because the option is an option of the subcommand.
            process = try spawn(Array(arguments.prefix(3)) + [option] + arguments.dropFirst(3), standardInput: input)
        } catch {
            throw ValidationError("A store can't be started in the background: \(error).")
        }
        // Close the store's side of the socket, because otherwise this process can't detect the store's end.
        input.close()
        // Wait on a separate thread, because a blocking read must not occupy a thread of Swift concurrency.
        let code = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: wait(on: connection, for: process)) }
        }
        guard code == .success else { throw code }
    }

    /// Waits until the store is ready or its process has ended, and returns the exit code of this command.
    private static func wait(on connection: FileDescriptor, for process: Int32) -> ExitCode {
        if receives(connection), (try? connection.write([0])) != nil, receives(connection) { return .success }
        connection.close()
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let (code, signal) = (status >> 8 & 0xFF, status & 0x7F)
        guard signal == 0 else {
            StandardError.line("Error: Signal \(signal) ended the store before it was ready.")
            return .softwareError
        }
        guard code != 0 else {
            StandardError.line("Error: The store was stopped before it was ready.")
            return .indeterminate
        }
        return ExitCode(code)
    }

    /// Waits for a byte, and returns false if the other side has closed the connection instead.
    fileprivate static func receives(_ connection: FileDescriptor) -> Bool {
        (try? connection.read(atMost: 1))?.isEmpty == false
    }

    private static var streamSocket: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    /// Starts this program in a new session; of this process's descriptors, the new process has standard output and standard error only.
    private static func spawn(_ arguments: [String], standardInput: FileDescriptor) throws(SystemError) -> Int32 {
        // Call `posix_spawn`, because Foundation's `Process` makes the child a leader of a process group, and a leader can't create a
        // session. swift-subprocess returns after the end of a process, but the store outlives the command.
        #if canImport(Glibc)
            var (attributes, actions) = (posix_spawnattr_t(), posix_spawn_file_actions_t())
            // Write POSIX_SPAWN_SETSID as a number, because Glibc declares the constant only as an extension.
            let flags = 0x80 | POSIX_SPAWN_SETSIGMASK
        #else
            var attributes: posix_spawnattr_t?
            var actions: posix_spawn_file_actions_t?
            let flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        // Clear the signal mask, because Dispatch's threads block signals, and a process inherits the mask of the thread that starts the
        // process.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawn_file_actions_adddup2(&actions, standardInput.number, STDIN_FILENO)
        #if !canImport(Glibc)
            posix_spawn_file_actions_addinherit_np(&actions, STDOUT_FILENO)
            posix_spawn_file_actions_addinherit_np(&actions, STDERR_FILENO)
        #endif
        closeOthersInChildren()
        var process: pid_t = 0
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let code = withCStrings(arguments) { arguments in
            withCStrings(environment) { environment in
                posix_spawn(&process, Bundle.main.executablePath ?? CommandLine.arguments[0], &actions, &attributes, arguments, environment)
            }
        }
        guard code == 0 else { throw SystemError(number: code) }
        return process
    }

    /// Makes child processes start without the descriptors that this process has inherited, except for the standard streams.
    ///
    /// A descriptor of a caller, such as the end of a pipe, would otherwise stay open as long as the store runs.
    private static func closeOthersInChildren() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
        for number in names.compactMap({ Int32($0) }) where number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }

    /// Calls a function with an array of C strings that ends with a null pointer.
    private static func withCStrings<Result>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// The connection of a background store to the command that waits for the store.
final class BackgroundProcess: Sendable {
    private let log = Mutex<FileDescriptor?>(nil)

    /// Begins to wait for the command, and ends the store if the command ends before the store is ready.
    ///
    /// The end of the command is treated as SIGTERM, which a store defers until it can clean up.
    init() {
        // Wait on a separate thread, because a blocking read must not occupy a thread of Swift concurrency.
        Thread.detachNewThread { [self] in
            guard BackgroundStart.receives(.standardInput) else {
                kill(getpid(), SIGTERM)
                return
            }
            detach()
        }
    }

    /// Opens the log, a file that only its owner can read, for the output after the end of the command; the file keeps its contents.
    ///
    /// - Throws: A usage error if the file can't be opened.
    func openLog(_ path: String) throws {
        do {
            let file = try FileDescriptor.opening(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o600)
            log.withLock { $0 = file }
        } catch {
            throw ValidationError("The log \(TerminalText.safe(path)) can't be written: \(error). Choose another file with --log-file.")
        }
    }

    /// Reports to the command that the store responds; the command confirms the report.
    func reportReady() {
        // Ignore a failed write: the write fails if the waiting command has ended, and the end of the command also stops this store
        // process.
        try? FileDescriptor.standardInput.write([0])
    }

    /// Redirects the output to the log, and reports the redirection to the command, which then ends.
    private func detach() {
        if let log = log.withLock({ $0 }) {
            dup2(log.number, STDOUT_FILENO)
            dup2(log.number, STDERR_FILENO)
            log.close()
        }
        try? FileDescriptor.standardInput.write([0])
        // Replace standard input instead of closing it, because the next file that is opened would have the descriptor 0.
        guard let null = try? FileDescriptor.opening("/dev/null", O_RDWR) else { return }
        dup2(null.number, STDIN_FILENO)
        null.close()
    }
}
