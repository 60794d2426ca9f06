import Foundation

/// The page about which of StoreKit's symbols work.
public struct CoveragePage: Sendable {
    /// Its rows, in its order.
    public let rows: [CoverageRow]
    private let names: Set<Substring>
    private let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// Reads it.
    public init() throws {
        let text = try String(contentsOf: root.appending(path: "docs/storekit-coverage.md"), encoding: .utf8)
        var part = ""
        var rows: [CoverageRow] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { part = String(line.dropFirst(3)) }
            if let row = CoverageRow(line, part: part) { rows.append(row) }
        }
        self.rows = rows
        names = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
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

    /// The public types that the sources in a folder of the repository declare and the page does not name.
    public func unnamedTypes(in folder: String) throws -> [String] {
        let declaration =
            /^ *(?:public|open) (?:final |indirect )?(?:actor|class|enum|protocol|struct|typealias) `?(?!func |var )(\w+)/
            .anchorsMatchLineEndings()
            .anchorsMatchLineEndings()
        let enumerator = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
        var types: Set<Substring> = []
        while let file = enumerator?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            types.formUnion(try String(contentsOf: file, encoding: .utf8).matches(of: declaration).map { Substring(String($0.1)) })
        }
        guard !types.isEmpty else { return ["no type was found in \(folder)"] }
        return types.subtracting(names).map(String.init).sorted()
    }
}
