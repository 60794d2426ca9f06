import Foundation

/// How much memory a process has had at most.
package enum ProcessMemory {
    /// The largest resident size of a running process so far, in megabytes of 10⁶ bytes, rounded up; nil where nobody tells.
    ///
    /// - Parameter pid: The process; nil for this one.
    ///
    /// Read from Linux's `/proc`. `getrusage` would not do: its figure is handed down from the process that started it.
    package static func peakMegabytes(of pid: Int32? = nil) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(pid.map { "\($0)" } ?? "self")/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return (kibibytes * 1024 + 999_999) / 1_000_000
    }
}
