import ArgumentParser
import Foundation
import NIOCore

// Import both modules, because the import order determines whether `stat` resolves to Glibc or to Foundation.
#if canImport(Glibc)
    import CoreFoundation
    import Glibc
#endif

/// A file descriptor of the operating system, with blocking, unbuffered reads and writes.
struct FileDescriptor: Sendable {
    static let standardInput = FileDescriptor(number: STDIN_FILENO)
    static let standardOutput = FileDescriptor(number: STDOUT_FILENO)
    static let standardError = FileDescriptor(number: STDERR_FILENO)

    let number: Int32

    /// Opens a file for reading.
    ///
    /// - Throws: A usage error if the file can't be opened.
    static func reading(_ path: String) throws -> FileDescriptor {
        do { return try opening(path, O_RDONLY) } catch {
            throw ValidationError("\(path) can't be read: \(error). Check the path, or give - for standard input.")
        }
    }

    /// Opens a file with flags of `open(2)`, such as `O_RDONLY`, and the permissions `mode` if the call creates the file.
    static func opening(_ path: String, _ flags: Int32, mode: mode_t = 0o644) throws(SystemError) -> FileDescriptor {
        // Refuse a path with a NUL character, at which the system would truncate the path and open another file.
        guard !path.isEmpty, !path.utf8.contains(0) else { throw SystemError(number: ENOENT) }
        let number = open(path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemError(number: errno) }
        return FileDescriptor(number: number)
    }

    /// Waits until bytes are available, and reads at most `count` bytes; returns an empty array at the end of the file.
    func read(atMost count: Int) throws(SystemError) -> [UInt8] {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var result: Int
            repeat { result = Foundation.read(number, buffer.baseAddress, count) } while result < 0 && errno == EINTR
            if result < 0 { failure = errno }
            filled = max(0, result)
        }
        if let failure { throw SystemError(number: failure) }
        return bytes
    }

    /// Writes all of the bytes, with as many system calls as necessary.
    func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            if written < 0 && errno != EINTR { throw SystemError(number: errno) }
            rest = rest.dropFirst(max(0, written))
        }
    }

    /// Whether a read would return without waiting.
    var isReady: Bool {
        var pollDescriptor = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&pollDescriptor, 1, 0) != 0
    }

    var isTerminal: Bool {
        isatty(number) == 1
    }

    /// The size of a regular file in bytes; nil for a pipe, a terminal or another device.
    var size: Int? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    func close() {
        _ = Foundation.close(number)
    }
}

/// An error that a system call returned.
struct SystemError: Error, Hashable, CustomStringConvertible {
    /// The value of `errno`, such as `ENOSPC`.
    let number: Int32

    /// The system's message in lowercase, for use within a sentence: `no space left on device`.
    var description: String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// The content of a file as a sequence of parts, so that a file of any size can be sent with little memory.
struct FileParts: AsyncSequence, Sendable {
    let file: FileDescriptor

    func makeAsyncIterator() -> Iterator { Iterator(file: file) }

    struct Iterator: AsyncIteratorProtocol {
        let file: FileDescriptor

        func next() async throws -> ByteBuffer? {
            let bytes = try file.read(atMost: 1 << 18)
            return bytes.isEmpty ? nil : ByteBuffer(bytes: bytes)
        }
    }
}
