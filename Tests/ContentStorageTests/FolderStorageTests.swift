import Foundation
import NIOCore
import NIOFoundationCompat
import PurchaseModel
import PurchaseTestSupport
import Synchronization
import Testing

@testable import ContentStorage

/// The storage in a folder.
@Suite struct FolderStorageTests {
    private static func with(_ body: (FolderStorage, TemporaryFolder) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await body(FolderStorage(path: folder.file("objects").path), folder)
        }
    }

    private static func names(in path: String) -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).sorted()
    }

    @Test func `new files and folders are private, and no temporary file remains`() async throws {
        try await Self.with { storage, folder in
            try await storage.put(fileAt: Sample.file(folder, 10).path, as: "a/b")
            #expect(Self.names(in: storage.path) == [".uploads", "a", "a/b"])
            for (name, mode) in [("", 0o700), (".uploads", 0o700), ("a", 0o700), ("a/b", 0o600)] {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(storage.path)/\(name)")
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode, "\(name)")
            }
        }
    }

    @Test func `a storage that does not exist is empty`() async throws {
        try await Self.with { storage, _ in
            #expect(try await storage.list(.all, after: nil, limit: 10) == ContentListing(objects: [], next: nil))
            await #expect(throws: ContentStorageError.notFound("a")) { try await storage.head("a") }
            try await storage.delete("a")
            #expect(try await storage.removeInterruptedUploads(startedBefore: Timestamp(Date())) == 0)
            #expect(!FileManager.default.fileExists(atPath: storage.path))
        }
    }

    @Test func `links, folders and pipes are not objects`() async throws {
        try await Self.with { storage, folder in
            let (path, _) = try Sample.file(folder, 10)
            try await storage.put(fileAt: path, as: "folder/file")
            try FileManager.default.createSymbolicLink(atPath: "\(storage.path)/link", withDestinationPath: path)
            #expect(mkfifo("\(storage.path)/pipe", 0o600) == 0)
            for key in ["link", "folder", "pipe", "folder/file/x"] as [ContentKey] {
                await #expect(throws: ContentStorageError.notFound(key)) { try await storage.head(key) }
            }
            #expect(try await storage.list(.all, after: nil, limit: 10).objects.map(\.key) == ["folder/file"])
            // Deleting a folder has no effect.
            try await storage.delete("folder")
            #expect(try await storage.head("folder/file").length == 10)
        }
    }

    @Test func `files that the operator copies are objects, and files with other names are not`() async throws {
        try await Self.with { storage, _ in
            try FileManager.default.createDirectory(atPath: "\(storage.path)/a b", withIntermediateDirectories: true)
            try FileManager.default.createDirectory(atPath: "\(storage.path)/.git", withIntermediateDirectories: true)
            for name in ["book.pdf", "a b/c", ".git/config", ".hidden", "é", "x y"] {
                try Data("test".utf8).write(to: URL(filePath: "\(storage.path)/\(name)"))
            }
            let content = try #require(try await storage.list(.all, after: nil, limit: 10).objects.first)
            #expect(content.key == "book.pdf")
            #expect(try await storage.head("book.pdf").sha256 == ContentDigest(of: Data("test".utf8)))
        }
    }

    @Test func `a changed file has another digest and entity tag`() async throws {
        try await Self.with { storage, folder in
            let first = try await storage.put(fileAt: Sample.file(folder, 1_000).path, as: "a")
            let bytes = Sample.bytes(1_001, seed: 9)
            try bytes.write(to: URL(filePath: "\(storage.path)/a"))
            let second = try await storage.head("a")
            #expect(second.sha256 == ContentDigest(of: bytes) && second.entityTag != first.entityTag)
        }
    }

    @Test func `a read is on demand, and ends with an error if the file was truncated`() async throws {
        try await Self.with { storage, folder in
            let (path, bytes) = try Sample.file(folder, 1 << 20)
            let content = try await storage.put(fileAt: path, as: "a")
            var iterator = try await storage.read(content).makeAsyncIterator()
            let first = try #require(try await iterator.next())
            #expect(first.readableBytes == OpenFile.chunkLength && Data(buffer: first) == bytes.prefix(OpenFile.chunkLength))
            #expect(truncate("\(storage.path)/a", off_t(OpenFile.chunkLength)) == 0)
            await #expect(throws: ContentStorageError.truncated) { try await iterator.next() }
        }
    }

    @Test func `a read continues although the object is replaced`() async throws {
        try await Self.with { storage, folder in
            let (path, bytes) = try Sample.file(folder, 1 << 20, seed: 1)
            let content = try await storage.put(fileAt: path, as: "a")
            let chunks = try await storage.read(content)
            try await storage.put(fileAt: Sample.file(folder, 1 << 20, seed: 2).path, as: "a")
            #expect(try await chunks.data == bytes)
        }
    }

    @Test func `a canceled call leaves neither an object nor a temporary file`() async throws {
        try await Self.with { storage, folder in
            let (path, _) = try Sample.file(folder, 2 << 20)
            let task = Task {
                try await storage.put(fileAt: path, as: "a", mediaType: .octetStream) { _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            await #expect(throws: ContentStorageError.canceled) { try await task.value }
            #expect(Self.names(in: storage.path) == [".uploads"])
        }
    }

    @Test func `temporary files of an earlier process are removed`() async throws {
        try await Self.with { storage, folder in
            try await storage.put(fileAt: Sample.file(folder, 10).path, as: "a")
            let old = "\(storage.path)/.uploads/old"
            for path in [old, "\(storage.path)/.uploads/new"] { try Data("x".utf8).write(to: URL(filePath: path)) }
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3_600)], ofItemAtPath: old)
            #expect(try await storage.removeInterruptedUploads(startedBefore: Timestamp(Date(timeIntervalSinceNow: -60))) == 1)
            #expect(Self.names(in: storage.path) == [".uploads", ".uploads/new", "a"])
            #expect(try await storage.list(.all, after: nil, limit: 10).objects.map(\.key) == ["a"])
        }
    }

    @Test func `an object that would need a folder in the place of a file is an error`() async throws {
        try await Self.with { storage, folder in
            let (path, _) = try Sample.file(folder, 10)
            try await storage.put(fileAt: path, as: "a")
            let error = await #expect(throws: ContentStorageError.self) { try await storage.put(fileAt: path, as: "a/b") }
            guard case .file(_, ENOTDIR) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(Self.names(in: storage.path) == [".uploads", "a"])
        }
    }

    @Test func `concurrent calls for one key leave one complete object`() async throws {
        try await Self.with { storage, folder in
            let files = try (0..<8).map { try Sample.file(folder, 300_000, seed: UInt8($0)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for file in files { group.addTask { try await storage.put(fileAt: file.path, as: "a/b/c") } }
                try await group.waitForAll()
            }
            let stored = try await storage.head("a/b/c")
            let bytes = try await storage.read(stored).data
            #expect(files.contains { $0.bytes == bytes } && stored.sha256 == ContentDigest(of: bytes))
            #expect(Self.names(in: "\(storage.path)/.uploads").isEmpty)
        }
    }

    @Test(arguments: [("", "."), ("a", "."), ("a/b", "a"), ("/", "/"), ("/a", "/"), ("/a/", "/"), ("a/b/", "a"), ("/a/b", "/a")])
    func `a path has a parent folder`(_ path: String, _ parent: String) {
        #expect(FolderTree.parent(of: path) == parent)
    }

    @Test func `an empty path is the current folder`() {
        #expect(FolderStorage(path: "").path == ".")
    }

    @Test func `a cursor of another storage does not trap`() async throws {
        try await Self.with { storage, folder in
            try await storage.put(fileAt: Sample.file(folder, 10).path, as: "a")
            for text in ["../..", "\u{0}", "é", "", String(repeating: "z", count: 100_000)] {
                _ = try await storage.list(.all, after: ContentCursor(text), limit: 10)
            }
        }
    }
}
