import Foundation

/// The page about which of StoreKit's symbols work.
public struct CoveragePage: Sendable {
    /// Its rows, in its order.
    public let rows: [CoverageRow]
    /// Reads it.
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

    /// Where the page and the uses of some of its parts do not agree, a sentence each.
    public func disagreements(with uses: StoreKitUses, in parts: Set<String>) -> [String] {
        let rows = rows.filter { parts.contains($0.part) }
        let there = Set(rows.filter(\.isThere).flatMap(\.symbols))
        let used = Set(uses.bySymbol.keys)
        return there.subtracting(used).sorted().map { "\($0) has no use that compiles." }
            + used.subtracting(there).sorted().map { "\($0) compiles, and no row says that it is there." }
            + uses.twice.map { "\($0) has two uses." }
    }

    /// Where the page and the public symbols of a module that was built do not agree on some of its parts, a sentence each.
    public func disagreements(with symbols: PublicSymbols, in parts: Set<String>) -> [String] {
        let there = Set(rows.filter { parts.contains($0.part) && $0.isThere }.flatMap(\.symbols))
        return there.filter { !symbols.has($0) }.sorted().map { "\($0) is not in the module." }
            + symbols.names.filter { !symbols.isNamed($0, in: there) }.sorted().map { "\($0) is public, and no row says that it is there." }
    }
}
