import ArgumentParser

/// A mistake on the command line for which the argument parser has no precise message: a misspelled command, or a negative number.
struct UsageProblem: Sendable {
    /// The message, which contains the next step.
    let message: String

    /// Finds the mistake in the arguments of a call that the argument parser refused; nil for another mistake.
    init?(in arguments: [String], of root: any ParsableCommand.Type) {
        let path = CommandPath(arguments, of: root)
        if let unknown = path.unknown {
            message = Self.unknownCommand(unknown, at: path, of: root)
        } else if let index = arguments.firstIndex(where: Self.isNegative) {
            // Explain the minus sign, because the parser reads a leading hyphen as the beginning of an option, and reports a missing value.
            let option = index > 0 && arguments[index - 1].hasPrefix("--") ? " of \(arguments[index - 1])" : ""
            message = "The value \(arguments[index])\(option) is negative. Give a value without the minus sign."
        } else {
            return nil
        }
    }

    /// The commands of the sample app, which is a separate program.
    private static let sampleCommands = ["tour", "up", "shop"]

    private static func isNegative(_ argument: String) -> Bool {
        argument.utf8.first == UInt8(ascii: "-") && argument.dropFirst().utf8.first.map { (0x30...0x39).contains($0) } ?? false
    }

    private static func unknownCommand(_ unknown: String, at path: CommandPath, of root: any ParsableCommand.Type) -> String {
        let parents = path.names.joined(separator: " ")
        if path.names.count == 1, sampleCommands.contains(unknown) {
            return "\(parents) has no command “\(unknown)”: it belongs to the sample app. List its commands with: monkeyshop --help"
        }
        var found = path.command.configuration.subcommands.map { "\(parents) \($0._commandName)" }
        // Also suggest the commands of groups, because users often omit the group, as in `tillroll buy`.
        if path.names.count == 1 {
            for group in path.command.configuration.subcommands {
                found += group.configuration.subcommands.map { "\(parents) \(group._commandName) \($0._commandName)" }
            }
        }
        let nearest = Suggestions.nearest(to: unknown, in: found) { $0.split(separator: " ").last.map(String.init) ?? $0 }
        let shown = TerminalText.safe(TerminalText.shortened(unknown, to: 60))
        guard !nearest.isEmpty else { return "\(parents) has no command “\(shown)”. List its commands with: \(parents) --help" }
        return "\(parents) has no command “\(shown)”. Did you mean \(nearest.map { "`\($0)`" }.joined(separator: " or "))?"
    }
}

/// The commands that the arguments of a call name, from the outermost to the innermost.
private struct CommandPath {
    private(set) var names: [String]
    private(set) var command: any ParsableCommand.Type
    /// The first argument that is not a known subcommand; nil if there is no such argument.
    private(set) var unknown: String?

    init(_ arguments: [String], of root: any ParsableCommand.Type) {
        (names, command) = ([root._commandName], root)
        for argument in arguments {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !argument.hasPrefix("-") else { return }
            guard let next = commands.first(where: { $0._commandName == argument }) else {
                if argument != "help" { unknown = argument }
                return
            }
            names.append(argument)
            command = next
        }
    }
}

/// Finds known names that are similar to a misspelled name.
enum Suggestions {
    /// Returns the names that differ least from a text: at most three, each with at most one difference per three characters.
    ///
    /// - Parameter key: Returns the part of a name that is compared.
    static func nearest(to text: String, in names: [String], by key: (String) -> String = { $0 }) -> [String] {
        let text = Array(text.lowercased().prefix(100))
        let limit = max(1, text.count / 3)
        let distances = names.map { (name: $0, distance: distance(text, Array(key($0).lowercased().prefix(100)))) }
        guard let least = distances.map(\.distance).min(), least <= limit else { return [] }
        return distances.filter { $0.distance == least }.prefix(3).map(\.name)
    }

    /// Returns the optimal string alignment distance: the number of insertions, deletions, replacements and exchanges of neighbors.
    static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (row, character) in one.enumerated() {
            var current = [row + 1]
            for (column, otherCharacter) in other.enumerated() {
                let replaced = last[column] + (character == otherCharacter ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, character == other[column - 1], one[row - 1] == otherCharacter {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}
