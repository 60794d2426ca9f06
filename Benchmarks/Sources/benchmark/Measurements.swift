import Foundation

/// The measured values by name, for each measured program.
struct Measurements: Codable {
    /// Verifications per second, megabytes per second or allocations, by program (`tillroll`, `apple`, `other`) and subject.
    var values: [String: [String: Double]] = [:]
    /// A remark on each program: the version, or why the program was not measured.
    var notes: [String: String] = [:]

    subscript(_ name: String) -> Double? {
        get { values["tillroll"]?[name] }
        set { values["tillroll", default: [:]][name] = newValue }
    }

    init() {}

    /// Reads and merges the measurements of several runs.
    init(files: some Sequence<String>) throws {
        for file in files {
            let part = try JSONDecoder().decode(Measurements.self, from: Data(contentsOf: URL(filePath: file)))
            values.merge(part.values) { $0.merging($1) { _, new in new } }
            notes.merge(part.notes) { _, new in new }
        }
    }

    /// Prints the measurements as JSON.
    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(self) + Data("\n".utf8))
    }
}
