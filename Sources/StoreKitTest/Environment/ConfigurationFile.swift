import Foundation

/// Finds `.storekit` files by their names.
///
/// The search covers, in this order: the resources of every bundle of the process (`Bundle.main`, `Bundle.allBundles`), the resource
/// folders that SwiftPM puts beside the running program, the working directory, and the folders below it.
enum ConfigurationFile {
    /// The depth to which folders below the working directory are searched.
    private static let depth = 8

    /// The file with a name, with or without the extension; nil when there is none.
    static func named(_ name: String) -> URL? {
        let file = name.hasSuffix(".storekit") ? name : "\(name).storekit"
        let bundles = [Bundle.main] + Bundle.allBundles
        for bundle in bundles {
            if let url = bundle.url(forResource: String(file.dropLast(".storekit".count)), withExtension: "storekit") { return url }
        }
        let working = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
        for folder in resourceFolders + [working] {
            let url = folder.appending(path: file)
            if FileManager.default.fileExists(atPath: url.path) { return url }
        }
        return below(working, file)
    }

    private static var resourceFolders: [URL] {
        let folder = Bundle.main.bundleURL
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.sorted().filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.map { folder.appending(path: $0) }
    }

    /// The first match below a folder in the order of the paths; hidden folders, such as that of a build, are skipped.
    private static func below(_ folder: URL, _ file: String) -> URL? {
        guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles]) else {
            return nil
        }
        var found: [String] = []
        for case let url as URL in files {
            if files.level > depth { files.skipDescendants() }
            if url.lastPathComponent == file { found.append(url.path) }
        }
        return found.min().map { URL(filePath: $0) }
    }
}
