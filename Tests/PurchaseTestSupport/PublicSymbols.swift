import Foundation

/// The public symbols of compiled modules, with the names of the coverage page.
public struct PublicSymbols: Sendable {
    /// The error if the symbols can't be extracted.
    public struct Unreadable: Error {
        /// The error output of `swift-symbolgraph-extract`.
        public let message: String
    }

    private struct Graph: Decodable {
        struct Identifier: Decodable {
            let precise: String
        }

        struct Fragment: Decodable {
            let kind: String
            let spelling: String
        }

        struct Kind: Decodable {
            let identifier: String
        }

        struct Symbol: Decodable {
            let kind: Kind
            let identifier: Identifier
            let pathComponents: [String]
            let declarationFragments: [Fragment]

            var name: String { pathComponents.joined(separator: ".") }
        }

        struct Relationship: Decodable {
            let kind: String
            let source: String
            let target: String
            let targetFallback: String?
        }

        let symbols: [Symbol]
        let relationships: [Relationship]
    }

    /// Members that a conformance adds, which the row of their type covers.
    private static let implied = [
        "==(_:_:)", "hash(into:)", "init(from:)", "init(rawValue:)", "next(isolation:)", "rawValue", "description", "~=(_:_:)",
    ]

    /// The symbols' names.
    public private(set) var names: Set<String> = []
    /// The superclasses and protocols of each type, by the type's name.
    private var parents: [String: Set<String>] = [:]
    /// The underlying types of type aliases, by the alias's name.
    private var aliases: [String: String] = [:]

    /// Reads the symbols of modules in the tests' build folder.
    public init(ofModules modules: String...) throws {
        for module in modules {
            for graph in try Self.graphs(of: module) { add(graph) }
        }
    }

    private mutating func add(_ graph: Graph) {
        let byIdentifier = Dictionary(graph.symbols.map { ($0.identifier.precise, $0.name) }) { first, _ in first }
        for symbol in graph.symbols {
            names.insert(symbol.name)
            guard symbol.kind.identifier == "swift.typealias" else { continue }
            aliases[symbol.name] = symbol.declarationFragments.filter { $0.kind == "typeIdentifier" }.map(\.spelling).joined(separator: ".")
        }
        for relationship in graph.relationships where ["inheritsFrom", "conformsTo"].contains(relationship.kind) {
            guard let source = byIdentifier[relationship.source] else { continue }
            let fallback = relationship.targetFallback?.split(separator: ".").dropFirst().joined(separator: ".")
            guard let target = byIdentifier[relationship.target] ?? fallback else { continue }
            parents[source, default: []].insert(target)
        }
    }

    private static func graphs(of module: String) throws -> [Graph] {
        let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().resolvingSymlinksInPath()
        let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "swift-symbolgraph-extract", "-module-name", module, "-target", products.deletingLastPathComponent().lastPathComponent,
                "-I", products.appending(path: "Modules").path, "-minimum-access-level", "public", "-skip-synthesized-members",
                "-output-dir", folder.path,
            ] + moduleMaps(products).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
        let output = Pipe()
        process.standardError = output
        try process.run()
        let message = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let graphs = contents(of: folder)
        guard process.terminationStatus == 0, !graphs.isEmpty else { throw Unreadable(message: message) }
        return try graphs.map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) }
    }

    /// The module maps of the C modules that the modules import, in the build folder and in the sources of dependencies.
    private static func moduleMaps(_ products: URL) -> [URL] {
        let checkouts = contents(of: products.appending(path: "../../checkouts").standardizedFileURL)
        let sources = checkouts.flatMap { contents(of: $0.appending(path: "Sources")) }
        let built = contents(of: products).filter { $0.pathExtension == "build" }
        return (built + sources + sources.map { $0.appending(path: "include") }).map { $0.appending(path: "module.modulemap") }.filter {
            FileManager.default.fileExists(atPath: $0.path)
        }
    }

    private static func contents(of folder: URL) -> [URL] {
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }
}

extension PublicSymbols {
    /// Whether a symbol of the page is public, under its name, under the underlying type of an alias, or in a parent type.
    func has(_ symbol: String) -> Bool {
        if names.contains(symbol) { return true }
        guard let (owner, member) = Self.parts(of: symbol) else { return false }
        if let type = aliases[owner], names.contains("\(type).\(member)") { return true }
        return parents[owner]?.contains { has("\($0).\(member)") } ?? false
    }

    /// Whether the symbols of the page's rows cover a public symbol.
    func isNamed(_ name: String, in rows: Set<String>) -> Bool {
        if rows.contains(name) || aliases.contains(where: { $0.value == name && rows.contains($0.key) }) { return true }
        guard let (owner, member) = Self.parts(of: name) else { return false }
        if Self.implied.contains(member) { return true }
        if aliases.contains(where: { $0.value == owner && rows.contains("\($0.key).\(member)") }) { return true }
        // Members that a type has from a parent that the page does not list, such as the delegate of SKRequest.
        if parents.contains(where: { $0.value.contains(owner) && rows.contains("\($0.key).\(member)") }) { return true }
        // The members of a device, which replace Apple's functions that require a window.
        if owner == "Device" { return true }
        // The members of OptionalMethod, which implements optional chaining of optional requirements.
        if owner == "OptionalMethod" { return rows.contains { $0.hasSuffix(member.replacing("callAsFunction", with: "")) } }
        return rows.contains { $0.hasPrefix("\(name)(") }
    }

    private static func parts(of name: String) -> (owner: String, member: String)? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return (String(name[..<dot]), String(name[name.index(after: dot)...]))
    }
}
