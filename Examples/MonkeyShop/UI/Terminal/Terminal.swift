import Foundation
import Synchronization

/// The terminal of the process, which a program draws on: without echo, on the alternate screen, with a hidden cursor.
final class Terminal: Sendable {
    private let settings: termios
    /// Ends the thread that reads the keys when it is closed.
    private let stop = Pipe()
    /// Whether the app reads keys and signals; otherwise a signal, or control-C, ends the process at once.
    let isListening = Atomic(false)
    private let isRestored = Atomic(false)
    /// The bytes of the pressed keys; the sequence ends with the terminal.
    let input: AsyncStream<[UInt8]>

    /// Takes over the terminal until ``restore()``.
    ///
    /// - Throws: ``NoTerminal`` if the standard input or output is none.
    init() throws(NoTerminal) {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else { throw NoTerminal() }
        self.settings = settings
        let (input, keys) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(256))
        self.input = input
        var raw = settings
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        write("\u{1B}[?1049h\u{1B}[?25l")
        let end = stop.fileHandleForReading.fileDescriptor
        Thread.detachNewThread { Self.read(until: end, keys) }
    }

    /// Reads keys until another file ends.
    private static func read(until end: Int32, _ keys: AsyncStream<[UInt8]>.Continuation) {
        defer { keys.finish() }
        var bytes = [UInt8](repeating: 0, count: 1024)
        while true {
            var files = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0), pollfd(fd: end, events: Int16(POLLIN), revents: 0)]
            guard poll(&files, nfds_t(files.count), -1) >= 0 || errno == EINTR, files[1].revents == 0 else { return }
            guard files[0].revents != 0 else { continue }
            let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 { keys.yield(Array(bytes[..<count])) } else if count == 0 || errno != EINTR { return }
        }
    }

    /// The number of columns and rows; 80 and 24 if the terminal does not tell.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Writes text and control sequences; what can't be written is lost with the terminal.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { bytes = bytes.dropFirst(count) } else if count == 0 || errno != EINTR { return }
        }
    }

    /// Ends the process, after it has given the terminal back, if the app does not listen: it starts or ends, and nothing else would.
    func exitUnlessListening() {
        guard !isListening.load(ordering: .relaxed) else { return }
        restore()
        _exit(1)
    }

    /// Gives the terminal back as it was.
    func restore() {
        guard !isRestored.exchange(true, ordering: .relaxed) else { return }
        try? stop.fileHandleForWriting.close()
        write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}

/// The standard input or output is no terminal.
package struct NoTerminal: Error {}
