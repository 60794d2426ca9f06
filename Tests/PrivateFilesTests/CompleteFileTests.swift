import Foundation
import PrivateFiles
import PurchaseTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct CompleteFileTests {
    private struct Interruption: Error {}

    private static func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    }

    @Test func `a file has its name after its contents are complete, and is readable by its owner only`() async throws {
        try await TemporaryFolder.with { folder in
            try CompleteFile.create(folder.file("copy").path) { incomplete in
                #expect(try Self.names(folder) == ["copy.incomplete"])
                try Data("contents".utf8).write(to: URL(filePath: incomplete))
            }
            #expect(try Self.names(folder) == ["copy"])
            #expect(try Data(contentsOf: folder.file("copy")) == Data("contents".utf8))
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("copy").path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test func `a file, a folder or a link with the name is never replaced`() async throws {
        try await TemporaryFolder.with { folder in
            try Data("old".utf8).write(to: folder.file("file"))
            try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(atPath: folder.file("link").path, withDestinationPath: "nowhere")
            for name in ["file", "folder", "link"] {
                #expect(throws: CompleteFile.Failure.exists) { try CompleteFile.create(folder.file(name).path) { _ in } }
            }
            // A file that appears while the contents are written is not replaced either.
            #expect(throws: CompleteFile.Failure.exists) {
                try CompleteFile.create(folder.file("late").path) { _ in try Data("late".utf8).write(to: folder.file("late")) }
            }
            #expect(try Self.names(folder).sorted() == ["file", "folder", "late", "link"])
            #expect(try Data(contentsOf: folder.file("file")) == Data("old".utf8))
        }
    }

    @Test func `an error leaves nothing, and the rest of a killed process is replaced`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("copy").path
            #expect(throws: Interruption.self) { try CompleteFile.create(path) { _ in throw Interruption() } }
            #expect(try Self.names(folder).isEmpty)
            try Data("a longer rest".utf8).write(to: folder.file("copy.incomplete"))
            try CompleteFile.create(path) { incomplete in
                let file = try FileHandle(forWritingTo: URL(filePath: incomplete))
                try file.write(contentsOf: Data("new".utf8))
                try file.close()
            }
            #expect(try Data(contentsOf: folder.file("copy")) == Data("new".utf8))
            #expect(throws: CompleteFile.Failure.write) { try CompleteFile.create(folder.file("none/copy").path) { _ in } }
        }
    }

    @Test func `two writers of one file exclude each other`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("copy").path
            _ = try CompleteFile.create(path) { _ in
                #expect(throws: CompleteFile.Failure.busy) { try CompleteFile.create(path) { _ in } }
            }
            #expect(try Self.names(folder) == ["copy"])
        }
    }
}
