import Foundation

/// Reads the state of the process from the kernel.
enum ProcessMetrics {
    /// The fields of `/proc/self/stat` after the name of the program, from the third one (proc(5)).
    private enum Field {
        static let (userTime, systemTime, startTime, virtualMemory, residentPages) = (11, 12, 19, 20, 21)
    }

    /// Updates the metrics of the process; on a system without `/proc`, they have no values.
    static func update(_ registry: MetricsRegistry) {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8), let end = text.lastIndex(of: ")") else { return }
        let fields = text[text.index(after: end)...].split(separator: " ").map { Double($0) }
        func value(_ index: Int) -> Double? { fields.indices.contains(index) ? fields[index] : nil }
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        if let user = value(Field.userTime), let system = value(Field.systemTime) {
            registry.set(.processorTime, to: (user + system) / ticks)
        }
        if let bytes = value(Field.virtualMemory) { registry.set(.virtualMemory, to: bytes) }
        if let pages = value(Field.residentPages) { registry.set(.residentMemory, to: pages * Double(sysconf(Int32(_SC_PAGESIZE)))) }
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            registry.set(.openFiles, to: Double(files.count))
        }
        if let start = value(Field.startTime), let boot = bootTime() { registry.set(.startTime, to: boot + start / ticks) }
    }

    /// Returns the time at which the machine started, in seconds since 1970.
    private static func bootTime() -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst(6)) }
    }
}
