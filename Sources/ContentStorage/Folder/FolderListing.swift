import Foundation

/// Finds the objects of a folder in the order of their keys' bytes; blocks.
struct FolderListing {
    private let tree: FolderTree
    private let prefix: String
    private let cursor: String
    private let limit: Int
    private var found: [StoredContent] = []

    /// Creates a search for the first keys with a prefix.
    ///
    /// - Parameters:
    ///   - cursor: The text that the keys must follow; empty for all keys.
    ///   - limit: The maximum number of objects.
    init(_ tree: FolderTree, _ prefix: ContentPrefix, after cursor: String, limit: Int) {
        self.tree = tree
        self.prefix = prefix.text
        self.cursor = cursor
        self.limit = limit
    }

    /// Returns the objects.
    mutating func run() throws(ContentStorageError) -> [StoredContent] {
        try visit(tree.root, "")
        return found
    }

    /// Visits a folder.
    ///
    /// - Parameters:
    ///   - path: The path of the folder.
    ///   - start: The prefix of the keys of the folder's files: empty, or a text that ends with a slash.
    private mutating func visit(_ path: String, _ start: String) throws(ContentStorageError) {
        // A folder sorts by its name with a slash, as the keys of its files do.
        let entries = try FolderEntry.all(in: path).map { ($0, key: start + $0.name + ($0.isFolder ? "/" : "")) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (entry, text) in entries where found.count < limit {
            if entry.isFolder {
                guard canContainMatches(text), (try? ContentPrefix(text)) != nil else { continue }
                try visit("\(path)/\(entry.name)", text)
            } else if text.hasPrefix(prefix), cursor.utf8.lexicographicallyPrecedes(text.utf8), let key = try? ContentKey(text),
                let file = try? tree.open(key)
            {
                found.append(StoredContent(key, file.status, nil))
            }
        }
    }

    /// Returns whether keys that begin with a folder's text can match the prefix and follow the cursor.
    private func canContainMatches(_ text: String) -> Bool {
        (text.hasPrefix(prefix) || prefix.hasPrefix(text)) && (cursor.hasPrefix(text) || cursor.utf8.lexicographicallyPrecedes(text.utf8))
    }
}
