import ArgumentParser

/// The lines of a file or pipe, read in blocks; blank lines are skipped, but counted.
struct LineSource: BatchSource {
    /// The number of bytes per read.
    static let blockSize = 256 << 10

    private let file: FileDescriptor
    private let name: String
    private let maximumLength: Int
    /// Bytes that were read and belong to no complete line yet.
    private var rest: [UInt8] = []
    /// The number of lines that ended so far.
    private var line = 0
    private var position = 0
    /// Whether the current line exceeds the maximum length, so that its bytes are dropped.
    private var isPassingOver = false
    private var isAtEnd = false
    private var skipped = 0

    /// Reads lines of at most `maximumLength` bytes.
    init(_ file: FileDescriptor, name: String, maximumLength: Int) {
        self.file = file
        self.name = name
        self.maximumLength = maximumLength
    }

    var isReady: Bool { file.size != nil || file.isReady }

    var end: Int? { file.size }

    mutating func skip(through origin: BatchItem.Origin) throws {
        guard case .line(let number) = origin else {
            throw ValidationError("The results there are of a folder. Choose another --output for \(name).")
        }
        skipped = number
    }

    mutating func next() throws -> BatchChunk? {
        while !isAtEnd {
            let chunk = try block()
            if !chunk.items.isEmpty { return chunk }
        }
        guard line >= skipped else {
            throw ValidationError("The results go to line \(skipped), and \(name) ends after \(line): they are of another input.")
        }
        return nil
    }

    /// The lines that end in the next block.
    private mutating func block() throws -> BatchChunk {
        let block: [UInt8]
        do { block = try file.read(atMost: Self.blockSize) } catch {
            throw ValidationError("\(name) can't be read on after line \(line): \(error). With --output, the same call goes on there.")
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
            if !rest.isEmpty || isPassingOver { end(with: [], in: &chunk) }
        } else {
            keep(unread)
        }
        return chunk
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        if isPassingOver || rest.count + bytes.count > maximumLength {
            isPassingOver = true
            rest = []
        } else {
            rest.append(contentsOf: bytes)
        }
    }

    private mutating func end(with bytes: ArraySlice<UInt8>, in chunk: inout BatchChunk) {
        keep(bytes)
        line += 1
        defer {
            isPassingOver = false
            rest = []
        }
        guard line > skipped else { return }
        if isPassingOver {
            chunk.items.append(BatchItem(origin: .line(line), content: .tooLong))
        } else if !rest.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            chunk.items.append(BatchItem(origin: .line(line), content: .bytes(rest)))
        }
    }
}
