import Foundation

/// One line of what was measured.
struct Line: Encodable, Sendable {
    let title: String
    let value: Double
    let unit: String
    /// What it is compared with, and how many times as much it is.
    var basis: String?
    var ratio: Double?
    /// What the ratio, or the value where there is none, should be at most; nil where nothing is promised.
    var limit: Double?

    /// The line as a table has it.
    var text: String {
        let compared = ratio.map { "\(Self.format($0)) × \(basis ?? "")" } ?? ""
        return [
            title.padding(toLength: 56, withPad: " ", startingAt: 0),
            Self.pad("\(Self.format(value)) \(unit)", 14), "  ",
            compared.padding(toLength: 46, withPad: " ", startingAt: 0),
            limit.map { "≤ \(Self.format($0))  \((ratio ?? value) <= $0 ? "ok" : "missed")" } ?? "",
        ].joined()
    }

    private static func format(_ number: Double) -> String {
        number.formatted(.number.precision(.fractionLength(number < 10 ? 2 : 0)).locale(Locale(identifier: "en_US")))
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
