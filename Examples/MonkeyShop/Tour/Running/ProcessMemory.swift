import Foundation

/// Measures the peak memory of a process.
public enum ProcessMemory {
    /// Returns the peak resident size of a running process, in megabytes of 10⁶ bytes, rounded up; nil if the size is unavailable.
    ///
    /// - Parameter pid: The process ID; nil for the current process.
    ///
    /// The value comes from Linux's `/proc`. The value of `getrusage` is not suitable, because a process inherits the value of its parent.
    public static func peakMegabytes(of pid: Int32? = nil) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(pid.map { "\($0)" } ?? "self")/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return (kibibytes * 1024 + 999_999) / 1_000_000
    }
}
