/// The imports between the scripts of a page.
struct ModuleGraph {
    /// The names of the modules that each module imports, by the name of the module.
    let imports: [String: Set<String>]

    /// Reads the imports from the sources of the modules, by their names.
    ///
    /// All imports of the page name their module in a string with a leading `./`, also `import()` and `export … from`.
    init(sources: [String: String]) {
        imports = sources.mapValues { source in
            Set(source.matches(of: /\b(?:from|import)\s*\(?\s*["']\.\/([^"']+)["']/).map { String($0.1) })
        }
    }

    /// The modules of a cycle, each of which imports the next one, and the last one the first one; empty if there is no cycle.
    var cycle: [String] {
        var finished: Set<String> = []
        for module in imports.keys.sorted() {
            var path: [String] = []
            if let cycle = cycle(from: module, along: &path, finished: &finished) { return cycle }
        }
        return []
    }

    private func cycle(from module: String, along path: inout [String], finished: inout Set<String>) -> [String]? {
        if finished.contains(module) { return nil }
        if let start = path.firstIndex(of: module) { return Array(path[start...]) }
        path.append(module)
        for next in imports[module, default: []].sorted() {
            if let cycle = cycle(from: next, along: &path, finished: &finished) { return cycle }
        }
        path.removeLast()
        finished.insert(module)
        return nil
    }
}
