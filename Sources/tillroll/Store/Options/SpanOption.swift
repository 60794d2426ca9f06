import ArgumentParser

/// A span of the store's time on the command line: `90s`, `15m`, `12h`, `30d`, `2w` or `1y`, ten years at most.
struct SpanOption: ExpressibleByArgument, Sendable {
    let seconds: Int64

    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400]
        let limit: Int64 = 3_653 * 86_400
        guard let unit = argument.last.flatMap({ units[$0] }), let number = Int64(argument.dropLast()), (0...limit).contains(number),
            number * unit <= limit
        else { return nil }
        seconds = number * unit
    }
}
