import ArgumentParser

/// A time span on the command line: `90s`, `15m`, `12h` or `30d`.
struct AgeOption: ExpressibleByArgument, Sendable {
    let seconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        // A span of a century or more is equivalent to no limit.
        guard let unit = argument.last.flatMap({ units[$0] }), let number = Int64(argument.dropLast()),
            (0...36_525 * 86_400).contains(number)
        else { return nil }
        seconds = min(number * unit, 36_525 * 86_400)
    }
}
