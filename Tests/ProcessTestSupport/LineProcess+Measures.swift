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

    /// How many connections to a port of this machine hold bytes that the other side does not take.
    package func sockets(on port: Int) throws -> Int {
        let hex = String(port, radix: 16, uppercase: true)
        let local = ":" + String(repeating: "0", count: 4 - hex.count) + hex
        return try text("net/tcp").split(separator: "\n").dropFirst().count { line in
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[1].hasSuffix(local), fields[9] != "0" else { return false }
            return !fields[4].hasPrefix("00000000:")
        }
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "/proc/\(pid)/\(name)")), as: UTF8.self)
    }
}
