import Foundation
import PrivateFiles
import PurchaseStorage

/// The reader of a file to import, which returns the records in the order of the file.
struct ImportFile {
    private static let chunkSize = 1 << 16
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The size of the file in bytes.
    let size: Int64
    /// The columns of CSV; empty for JSON Lines.
    private(set) var columns: [ImportTexts.Name?] = []
    private let path: String
    private let handle: FileHandle
    private let modified: Date?
    private var splitter: ImportSplitter
    private var ready: ArraySlice<ImportRecord> = []
    private var isAtEnd = false

    /// Opens a file, and reads the header of CSV.
    ///
    /// - Parameter position: The place of the first record to read; nil for the first record after the header.
    /// - Throws: ``PurchaseImportError``.
    init(_ path: String, _ format: ImportFormat, at position: ImportPosition?) throws(PurchaseImportError) {
        guard let (size, modified) = Self.attributes(of: path), let handle = FileHandle(forReadingAtPath: path) else {
            throw .unreadable(path: path)
        }
        (self.path, self.size, self.modified, self.handle) = (path, size, modified, handle)
        splitter = ImportSplitter(format, at: ImportPosition())
        let first = try read(Self.byteOrderMark.count)
        var start = ImportPosition()
        if first == Self.byteOrderMark {
            start.offset = Int64(first.count)
        } else {
            try seek(to: 0)
        }
        splitter = ImportSplitter(format, at: start)
        if format == .csv {
            guard let columns = ImportTexts.columns(try next()) else { throw .header(path: path) }
            self.columns = columns
        }
        guard let position, position.offset > start.offset else { return }
        try seek(to: position.offset)
        splitter = ImportSplitter(format, at: position)
        (ready, isAtEnd) = ([], false)
    }

    /// Returns the next record; nil at the end of the file.
    mutating func next() throws(PurchaseImportError) -> ImportRecord? {
        while ready.isEmpty, !isAtEnd {
            let chunk = try read(Self.chunkSize)
            isAtEnd = chunk.isEmpty
            ready = isAtEnd ? [splitter.finish()].compactMap { $0 }[...] : splitter.split(chunk)[...]
        }
        return ready.popFirst()
    }

    /// Whether the file has been changed since it was opened.
    var isChanged: Bool { Self.attributes(of: path).map { $0.size != size || $0.modified != modified } ?? true }

    /// Whether a path names a regular file.
    static func isRegular(_ path: String) -> Bool { attributes(of: path) != nil }

    private func read(_ count: Int) throws(PurchaseImportError) -> [UInt8] {
        do { return [UInt8](try handle.read(upToCount: count) ?? Data()) } catch { throw .unreadable(path: path) }
    }

    private func seek(to offset: Int64) throws(PurchaseImportError) {
        do { try handle.seek(toOffset: UInt64(max(0, offset))) } catch { throw .unreadable(path: path) }
    }

    private static func attributes(of path: String) -> (size: Int64, modified: Date?)? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeRegular, let size = (attributes[.size] as? NSNumber)?.int64Value
        else { return nil }
        return (size, attributes[.modificationDate] as? Date)
    }
}
