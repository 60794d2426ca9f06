import Foundation
package import TillrollTour

/// What the kernel says of a process.
extension LineProcess {
    /// The bytes of memory that it has.
    package var memory: Int {
        get throws {
            let line = try text("status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
        }
    }

    /// How long processors worked for it, at a hundred ticks a second.
    package var processorSeconds: Double {
        get throws {
            // The second field is the name, in parentheses; user and system time are the 14th and 15th.
            let fields = try text("stat").split(separator: ")").last?.split(separator: " ") ?? []
            return fields.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +) / 100
        }
    }

    /// Whether the connection from one port of this machine to another is still open at the other one.
    package func hasConnection(on port: Int, from client: Int) throws -> Bool {
        let (local, remote) = (Self.suffix(of: port), Self.suffix(of: client))
        return try text("net/tcp").split(separator: "\n").dropFirst().contains { line in
            // The tenth field is the number of the socket: 0 when no process has it any more.
            let fields = line.split(separator: " ")
            return fields.count > 9 && fields[1].hasSuffix(local) && fields[2].hasSuffix(remote) && fields[9] != "0"
        }
    }

    private static func suffix(of port: Int) -> String {
        let hex = String(port, radix: 16, uppercase: true)
        return ":" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }

    private func text(_ name: String) throws -> String {
        // Files of the kernel have no size and come a page at a time.
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(pid)/\(name)"))
        defer { try? file.close() }
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
}
