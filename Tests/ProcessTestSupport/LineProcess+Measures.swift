import Foundation

/// Measurements of a process, from `/proc`.
extension LineProcess {
    /// The resident memory, in bytes.
    package var memory: Int { get throws { try kibibytes("VmRSS:") << 10 } }

    /// The largest resident memory so far, in bytes.
    package var peakMemory: Int { get throws { try kibibytes("VmHWM:") << 10 } }

    private func kibibytes(_ name: String) throws -> Int {
        let line = try text("status").split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// The processor time in user and system mode, in seconds, at 100 ticks per second.
    package var processorSeconds: Double {
        get throws {
            // Field 2 is the name in parentheses; fields 14 and 15 are the user and system time.
            let fields = try text("stat").split(separator: ")").last?.split(separator: " ") ?? []
            return fields.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +) / 100
        }
    }

    /// Whether the process still has its end of the connection from the local port `client` to its local port.
    package func hasConnection(on port: Int, from client: Int) throws -> Bool {
        let (local, remote) = (Self.suffix(of: port), Self.suffix(of: client))
        return try text("net/tcp").split(separator: "\n").dropFirst().contains { line in
            // Field 10 is the socket's inode: 0 if no process has the socket.
            let fields = line.split(separator: " ")
            return fields.count > 9 && fields[1].hasSuffix(local) && fields[2].hasSuffix(remote) && fields[9] != "0"
        }
    }

    private static func suffix(of port: Int) -> String {
        let hex = String(port, radix: 16, uppercase: true)
        return ":" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }

    private func text(_ name: String) throws -> String {
        // Files in /proc have no size, so they are read to the end.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(pid)/\(name)"))
        defer { try? file.close() }
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}
