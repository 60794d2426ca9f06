import Foundation

/// What was measured: numbers by name, one set for each program that was measured.
struct Measurements: Codable {
    /// Verifications a second, megabytes a second or allocations, by ``Subject``'s names; by program: `tillroll`, `apple`, `other`.
    var values: [String: [String: Double]] = [:]
    /// What is known about a program besides: its version, or why it was not measured.
    var notes: [String: String] = [:]

    subscript(_ name: String) -> Double? {
        get { values["tillroll"]?[name] }
        set { values["tillroll", default: [:]][name] = newValue }
    }

    init() {}

    /// Joins what several calls measured.
    init(files: some Sequence<String>) throws {
        for file in files {
            let part = try JSONDecoder().decode(Measurements.self, from: Data(contentsOf: URL(filePath: file)))
            values.merge(part.values) { $0.merging($1) { _, new in new } }
            notes.merge(part.notes) { _, new in new }
        }
    }

    /// Prints them for a later call.
    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(self) + Data("\n".utf8))
    }
}
