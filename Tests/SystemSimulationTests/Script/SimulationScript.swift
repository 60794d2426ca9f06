/// The steps of a simulation, one per line of its text.
struct SimulationScript: Hashable, Sendable, CustomStringConvertible {
    var steps: [SimulationStep]

    init(_ steps: [SimulationStep]) {
        self.steps = steps
    }

    /// Reads a script; empty lines and lines that begin with `#` are ignored.
    init(_ text: String) throws(SimulationStep.InvalidLine) {
        steps = []
        for line in text.split(separator: "\n") {
            guard let first = line.split(separator: " ").first, !first.hasPrefix("#") else { continue }
            steps.append(try SimulationStep(line: String(line)))
        }
    }

    var description: String { steps.map(\.description).joined(separator: "\n") }
}
