import Foundation

/// How much may be allocated, as `allocations.json` says.
///
/// More is a failure, so that a change which costs more has to say so there.
struct AllocationLimits {
    private let file: String
    private let text: String
    private let limits: [String: Double]

    init(file: String) throws {
        self.file = file
        text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        limits = try JSONDecoder().decode([String: Double].self, from: Data(text.utf8))
    }

    /// Throws when a limit is exceeded or something has none.
    func check(_ measurements: Measurements) throws {
        let counted = (measurements.values["tillroll"] ?? [:]).filter { $0.key.hasPrefix("allocations.") }
        var findings: [String] = []
        for (name, count) in counted.sorted(by: { $0.key < $1.key }) {
            let key = String(name.dropFirst("allocations.".count))
            guard let limit = limits[key] else {
                findings.append("\(file): there is no limit for \"\(key)\"; it takes \(count.formatted(1)).")
                continue
            }
            if count > limit {
                findings.append(
                    "\(file):\(line(of: key)): \"\(key)\" takes \(count.formatted(1)) allocations, and the limit is \(limit.formatted(1)): "
                        + "allocate less, or raise the limit in this line and say why in the commit."
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
