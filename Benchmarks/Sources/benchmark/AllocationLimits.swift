import Foundation

/// The limits of allocations in `allocations.json`.
///
/// An exceeded limit is a failure, so that a change with more allocations must also change the limit.
struct AllocationLimits {
    private let file: String
    private let text: String
    private let limits: [String: Double]

    init(file: String) throws {
        self.file = file
        text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        limits = try JSONDecoder().decode([String: Double].self, from: Data(text.utf8))
    }

    /// Throws if a measurement exceeds its limit or has no limit.
    func check(_ measurements: Measurements) throws {
        let counted = (measurements.values["tillroll"] ?? [:]).filter { $0.key.hasPrefix("allocations.") }
        var findings: [String] = []
        for (name, count) in counted.sorted(by: { $0.key < $1.key }) {
            let key = String(name.dropFirst("allocations.".count))
            guard let limit = limits[key] else {
                findings.append("\(file): No limit for \"\(key)\". Measured: \(count.formatted(1)) allocations.")
                continue
            }
            if count > limit {
                findings.append(
                    "\(file):\(line(of: key)): \"\(key)\" has \(count.formatted(1)) allocations; the limit is \(limit.formatted(1)). "
                        + "Reduce the allocations, or raise the limit in this line and state the reason in the commit."
                )
            }
        }
        guard findings.isEmpty else { throw Failure(findings.joined(separator: "\n")) }
    }

    private func line(of key: String) -> Int {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return (lines.firstIndex { $0.contains("\"\(key)\"") } ?? 0) + 1
    }
}
