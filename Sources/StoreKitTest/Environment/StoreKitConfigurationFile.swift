import Foundation
import LocalAppStore
import Synchronization

/// Finds `.storekit` files by their names.
///
/// The search covers, in this order: the resources of every bundle of the process (`Bundle.main`, `Bundle.allBundles`), the resource
/// folders that SwiftPM puts beside the running program, the working directory, and the folders below it.
enum StoreKitConfigurationFile {
    /// The number of folder levels below the working directory that are searched.
    private static let depth = 8

    /// Returns the URL of the `.storekit` file with a name; returns nil if no such file exists.
    ///
    /// - Parameter name: The name of the file, with or without the extension.
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

    /// Returns the file with a name below a folder; among several files, the one whose path sorts first.
    ///
    /// Hidden folders, such as the folder `.build`, are skipped.
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

/// The warnings about `.storekit` files of later versions, of which a process prints each once.
enum LaterVersionWarnings {
    private static let printed = Mutex<Set<String>>([])

    /// Prints a warning on standard error, unless the process has printed it for the same file.
    static func print(_ warning: CatalogFinding, of file: URL) {
        let line = "Warning: \(file.lastPathComponent): \(warning.message)\n"
        guard printed.withLock({ $0.insert("\(file.path) \(line)").inserted }) else { return }
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
