import ArgumentParser
import Foundation

/// Supplies the items of a batch, in the same order in each run.
protocol BatchSource {
    /// Whether the next chunk is available without waiting, as far as the source can determine.
    var isReady: Bool { get }
    /// The position at which the input ends, in bytes of a file or files of a folder; nil for an unknown end, as with a pipe.
    var end: Int? { get }

    /// Skips all items up to and including an item that was verified by an earlier call.
    ///
    /// - Throws: A usage error if the input can't contain the item, because the existing results are results of another input.
    mutating func skip(through origin: BatchItem.Origin) throws

    /// Reads and returns the next chunk of items, or nil at the end of the input.
    mutating func next() throws -> BatchChunk?
}

/// The files of a folder, sorted by the bytes of their names.
///
/// Subfolders and hidden files are skipped. The names are held in memory; the contents are read chunk by chunk.
struct FolderSource: BatchSource {
    private let folder: String
    private let names: [String]
    private var position = 0

    /// Lists the files of a folder.
    ///
    /// - Throws: A usage error if the folder can't be listed.
    init(_ folder: String) throws {
        self.folder = folder
        let entries: [String]
        do { entries = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw ValidationError("\(folder) can't be listed. Check its permissions.")
        }
        names = entries.filter { !$0.hasPrefix(".") && !Self.isFolder("\(folder)/\($0)") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns whether a path names a folder.
    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    var isReady: Bool { true }

    var end: Int? { names.count }

    mutating func skip(through origin: BatchItem.Origin) throws {
        guard case .file(let name) = origin, let index = names.firstIndex(of: name) else {
            throw ValidationError("The existing results belong to another input than \(folder). Choose another --output.")
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
            // Open with O_NONBLOCK, because opening a FIFO without a writer would block; the FIFO then reads as empty.
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

/// The lines of a file or pipe, read in blocks; blank lines are not items, but have line numbers.
struct LineSource: BatchSource {
    /// The maximum number of bytes per read.
    static let blockSize = 256 << 10

    private let file: FileDescriptor
    private let name: String
    private let maximumLength: Int
    /// The bytes of the current line, whose end has not been read yet.
    private var rest: [UInt8] = []
    /// The number of lines that were read completely.
    private var line = 0
    private var position = 0
    /// Whether the current line exceeds the maximum length; the source then drops the bytes of the line.
    private var isSkippingLine = false
    /// The number of bytes of the current line, including dropped bytes.
    private var length = 0
    private var isAtEnd = false
    private var skipped = 0

    /// Creates a source of a file's lines; a line of more than `maximumLength` bytes becomes an item that is too long.
    init(_ file: FileDescriptor, name: String, maximumLength: Int) {
        self.file = file
        self.name = name
        self.maximumLength = maximumLength
    }

    var isReady: Bool { file.size != nil || file.isReady }

    var end: Int? { file.size }

    mutating func skip(through origin: BatchItem.Origin) throws {
        guard case .line(let number) = origin else {
            throw ValidationError("The existing results belong to a folder, not to \(name). Choose another --output.")
        }
        skipped = number
    }

    mutating func next() throws -> BatchChunk? {
        while !isAtEnd {
            let chunk = try block()
            if !chunk.items.isEmpty { return chunk }
        }
        guard line >= skipped else {
            throw ValidationError(
                "The existing results end at line \(skipped), but \(name) has \(line) lines: the results belong to another input. "
                    + "Choose another --output.")
        }
        return nil
    }

    /// Reads the next block of the input and returns the lines that end in this block.
    private mutating func block() throws -> BatchChunk {
        let block: [UInt8]
        do { block = try file.read(atMost: Self.blockSize) } catch {
            throw ValidationError("\(name) can't be read after line \(line): \(error). A repeated call with the same --output continues.")
        }
        position += block.count
        var chunk = BatchChunk(position: position)
        var unread = block[...]
        while let newline = unread.firstIndex(of: UInt8(ascii: "\n")) {
            end(with: unread[..<newline], in: &chunk)
            unread = unread[(newline + 1)...]
        }
        if block.isEmpty {
            isAtEnd = true
            if !rest.isEmpty || isSkippingLine { end(with: [], in: &chunk) }
        } else {
            keep(unread)
            // Limit the length of a line from a pipe or a device, such as /dev/zero, because the line may never end.
            guard file.size != nil || length <= 2 * maximumLength else {
                throw ValidationError("Line \(line + 1) of \(name) does not end within \(length) bytes. Choose an input with line breaks.")
            }
        }
        return chunk
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        length += bytes.count
        if isSkippingLine || rest.count + bytes.count > maximumLength {
            isSkippingLine = true
            rest = []
        } else {
            rest.append(contentsOf: bytes)
        }
    }

    private mutating func end(with bytes: ArraySlice<UInt8>, in chunk: inout BatchChunk) {
        keep(bytes)
        line += 1
        defer {
            isSkippingLine = false
            rest = []
            length = 0
        }
        guard line > skipped else { return }
        if isSkippingLine {
            chunk.items.append(BatchItem(origin: .line(line), content: .tooLong))
        } else if !rest.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            chunk.items.append(BatchItem(origin: .line(line), content: .bytes(rest)))
        }
    }
}
