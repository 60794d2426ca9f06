import Foundation

/// The page `docs/storekit-coverage.md`, which lists StoreKit's symbols and whether they work.
public struct CoveragePage: Sendable {
    /// The rows, in the page's order.
    public let rows: [CoverageRow]
    /// Reads the page.
    public init() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/storekit-coverage.md").standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        var part = ""
        var rows: [CoverageRow] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { part = String(line.dropFirst(3)) }
            if let row = CoverageRow(line, part: part) { rows.append(row) }
        }
        self.rows = rows
    }

    /// The differences between some parts of the page and the uses, one sentence each.
    public func disagreements(with uses: StoreKitUses, in parts: Set<String>) -> [String] {
        let rows = rows.filter { parts.contains($0.part) }
        let available = Set(rows.filter(\.isAvailable).flatMap(\.symbols))
        let used = Set(uses.bySymbol.keys)
        return available.subtracting(used).sorted().map { "\($0) has no use that compiles." }
            + used.subtracting(available).sorted().map { "\($0) compiles, but no row lists it as available." }
            + uses.repeated.map { "\($0) has two uses." }
    }

    /// The differences between some parts of the page and the public symbols of modules, one sentence each.
    public func disagreements(with symbols: PublicSymbols, in parts: Set<String>) -> [String] {
        let available = Set(rows.filter { parts.contains($0.part) && $0.isAvailable }.flatMap(\.symbols))
        return available.filter { !symbols.has($0) }.sorted().map { "\($0) is not in the module." }
            + symbols.names.filter { !symbols.isNamed($0, in: available) }.sorted().map {
                "\($0) is public, but no row lists it as available."
            }
    }
}
