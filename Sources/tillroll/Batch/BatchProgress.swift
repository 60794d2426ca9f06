import Foundation

/// Reports the progress of a batch on standard error.
///
/// The report is a bar on a terminal, and lines if they were requested. Otherwise there is no report.
struct BatchProgress {
    /// The form of the report.
    enum Form: Sendable {
        case bar, lines, silent

        /// The number of seconds between two reports.
        fileprivate var pause: Double {
            switch self {
            case .bar: 0.1
            case .lines: 5
            case .silent: .infinity
            }
        }
    }

    private let form: Form
    private let clock = ContinuousClock()
    private var shown: ContinuousClock.Instant?
    /// The time and the position of the first answer.
    ///
    /// Skipped items do not count toward the rate.
    private var start: (time: ContinuousClock.Instant, position: Int)?
    private var done = 0

    init(_ form: Form) {
        self.form = form
    }

    /// Counts delivered answers, and reports progress when the next report is due.
    mutating func delivered(_ count: Int, position: Int, end: Int?) {
        let now = clock.now
        guard let start else {
            start = (now, position)
            return
        }
        done += count
        if let shown, shown.duration(to: now).seconds < form.pause { return }
        shown = now
        let seconds = start.time.duration(to: now).seconds
        let status = Self.status(done: done, first: start.position, position: position, end: end, seconds: seconds)
        switch form {
        case .bar: StandardError.write("\r\(Self.bar(position: position, end: end))\(status)\u{1B}[K")
        case .lines: StandardError.line(status)
        case .silent: break
        }
    }

    /// Removes the bar.
    func end() {
        if form == .bar && shown != nil { StandardError.write("\r\u{1B}[K") }
    }

    /// The number of verified items, the rate, and the remaining time if the end is known.
    static func status(done: Int, first: Int, position: Int, end: Int?, seconds: Double) -> String {
        let rate = seconds > 0 ? Double(done) / seconds : 0
        var parts = ["\(grouped(done)) done", "\(grouped(Int(rate)))/s"]
        if let end, end > 0 {
            parts.insert("\(Int((Double(min(position, end)) / Double(end) * 100).rounded(.down)))%", at: 0)
            if position > first {
                parts.append("\(span(seconds * Double(max(0, end - position)) / Double(position - first))) left")
            }
        }
        return parts.joined(separator: "  ")
    }

    private static func bar(position: Int, end: Int?) -> String {
        guard let end, end > 0 else { return "" }
        let width = 24
        let filled = Int(Double(min(position, end)) / Double(end) * Double(width))
        return "[\(String(repeating: "=", count: filled))\(String(repeating: " ", count: width - filled))]  "
    }

    /// A number with commas as thousands separators.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number))
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text.append(",") }
            text.append(digit.element)
        }
    }

    /// A time span in its two largest units.
    static func span(_ seconds: Double) -> String {
        guard seconds < 360_000 else { return "days" }
        let seconds = Int(seconds.rounded(.up))
        if seconds >= 3600 { return "\(seconds / 3600) h \(seconds / 60 % 60) min" }
        return seconds >= 60 ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds) s"
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
