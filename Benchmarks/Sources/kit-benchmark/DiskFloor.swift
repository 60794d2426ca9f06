import Foundation

/// The unavoidable work on the disk for a durable change: an append to a file, and the replacement of a small file.
struct DiskFloor {
    private let log: FileHandle
    private let path: String
    private let bytes: Data

    /// Creates the files in a folder.
    ///
    /// - Parameter length: The number of bytes of an append.
    init(in folder: String, length: Int) throws {
        path = "\(folder)/floor"
        bytes = Data((0..<length).map { _ in UInt8.random(in: 0...255) })
        guard FileManager.default.createFile(atPath: "\(path).log", contents: nil),
            let log = FileHandle(forWritingAtPath: "\(path).log")
        else { throw CocoaError(.fileWriteUnknown) }
        self.log = log
    }

    /// Appends bytes, and replaces the small file; both are synchronized to the disk.
    func write() throws {
        try log.write(contentsOf: bytes)
        try log.synchronize()
        guard FileManager.default.createFile(atPath: "\(path).new", contents: nil),
            let file = FileHandle(forWritingAtPath: "\(path).new")
        else { throw CocoaError(.fileWriteUnknown) }
        try file.write(contentsOf: Data("0.1".utf8))
        try file.synchronize()
        try file.close()
        guard rename("\(path).new", path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
