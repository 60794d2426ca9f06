import ArgumentParser
import Foundation

/// The files of a folder, sorted by the bytes of their names.
///
/// Subfolders and hidden files are skipped. The source holds the names in memory, and not the contents.
struct FolderSource: BatchSource {
    private let folder: String
    private let names: [String]
    private var position = 0

    /// Lists a folder.
    ///
    /// - Throws: A usage error if the folder can't be listed.
    init(_ folder: String) throws {
        self.folder = folder
        let entries: [String]
        do { entries = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw ValidationError("\(folder) can't be listed: check that you may read it.")
        }
        names = entries.filter { !$0.hasPrefix(".") && !Self.isFolder("\(folder)/\($0)") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether a path names a folder.
    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    var isReady: Bool { true }

    var end: Int? { names.count }

    mutating func skip(through origin: BatchItem.Origin) throws {
        guard case .file(let name) = origin, let index = names.firstIndex(of: name) else {
            throw ValidationError("The results there are not of this folder's files. Choose another --output for \(folder).")
        }
        position = index + 1
    }

    mutating func next() throws -> BatchChunk? {
        guard position < names.count else { return nil }
        var chunk = BatchChunk()
        var size = 0
        while position < names.count, size < BatchChunk.targetSize, chunk.items.count < BatchChunk.maximumCount {
            let content = Self.read("\(folder)/\(names[position])")
            if case .bytes(let bytes) = content { size += bytes.count }
            chunk.items.append(BatchItem(origin: .file(names[position]), content: content))
            position += 1
        }
        chunk.position = position
        return chunk
    }

    private static func read(_ path: String) -> BatchItem.Content {
        do {
            // Opening a FIFO without a writer would block; with O_NONBLOCK the FIFO reads as empty.
            let file = try FileDescriptor.opening(path, O_RDONLY | O_NONBLOCK)
            defer { file.close() }
            var bytes: [UInt8] = []
            while case let part = try file.read(atMost: (file.size.map { max(1, $0 - bytes.count) }).map { min($0, 1 << 20) } ?? 1 << 16),
                !part.isEmpty
            {
                bytes.append(contentsOf: part)
                if bytes.count > InputSource.maximumSize { return .tooLong }
            }
            return .bytes(bytes)
        } catch {
            return .unreadable("\(error)")
        }
    }
}
