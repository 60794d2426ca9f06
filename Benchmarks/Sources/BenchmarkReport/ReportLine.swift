import Foundation

/// One line of a benchmark report.
package struct ReportLine: Encodable, Sendable {
    package let title: String
    package let value: Double
    package let unit: String
    /// The basis of the comparison, and the value as a multiple of the basis.
    package var basis: String?
    package var ratio: Double?
    /// The upper limit of the ratio, or of the value if there is no ratio.
    ///
    /// Nil if there is no limit.
    package var limit: Double?
    /// The lower limit of the ratio.
    ///
    /// Nil if there is no lower limit.
    package var minimum: Double?

    /// Creates a line.
    package init(
        title: String, value: Double, unit: String, basis: String? = nil, ratio: Double? = nil, limit: Double? = nil,
        minimum: Double? = nil
    ) {
        self.title = title
        self.value = value
        self.unit = unit
        self.basis = basis
        self.ratio = ratio
        self.limit = limit
        self.minimum = minimum
    }

    /// Prints lines as a table, or as one JSON array.
    package static func print(_ lines: [ReportLine], asJSON: Bool) throws {
        guard asJSON else {
            for line in lines { Swift.print(line.text) }
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        Swift.print(String(decoding: try encoder.encode(lines), as: UTF8.self))
    }

    /// The line in the format of the table.
    package var text: String {
        let compared = ratio.map { "\(Self.format($0)) × \(basis ?? "")" } ?? ""
        return [
            title.padding(toLength: 56, withPad: " ", startingAt: 0),
            Self.pad("\(Self.format(value)) \(unit)", 14), "  ",
            compared.padding(toLength: 46, withPad: " ", startingAt: 0),
            limit.map { "≤ \(Self.format($0))  \((ratio ?? value) <= $0 ? "ok" : "missed")" } ?? "",
            minimum.map { "≥ \(Self.format($0))  \((ratio ?? value) >= $0 ? "ok" : "missed")" } ?? "",
        ].joined()
    }

    private static func format(_ number: Double) -> String {
        number.formatted(.number.precision(.fractionLength(number < 10 ? 2 : 0)).locale(Locale(identifier: "en_US")))
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension [Double] {
    /// The middle value, or 0 for an empty array.
    package var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
