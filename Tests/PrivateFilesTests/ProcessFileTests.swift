import Foundation
import PrivateFiles
import PurchaseTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Tests of files that describe a process. What other processes see of them is in `DetachedStoreTests`.
@Suite struct ProcessFileTests {
    @Test func `a file appears with its contents, readable by its owner only, and is removed`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("ready").path
            let file = try ProcessFile(reserving: path) { _ in false }
            #expect(!FileManager.default.fileExists(atPath: path))
            try file.publish(Data("complete".utf8))
            #expect(try Data(contentsOf: folder.file("ready")) == Data("complete".utf8))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            file.remove()
            file.remove()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        }
    }

    @Test func `a path is reserved once, until the reservation ends`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("ready").path
            let file = try ProcessFile(reserving: path) { _ in false }
            #expect(throws: ProcessFile.Failure.reserved) { try ProcessFile(reserving: path) { _ in false } }
            file.remove()
            try ProcessFile(reserving: path) { _ in false }.remove()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        }
    }

    @Test func `an empty file and the file of a killed process are replaced`() async throws {
        try await TemporaryFolder.with { folder in
            for contents in ["", "remnant"] {
                let url = folder.file("ready")
                try Data(contents.utf8).write(to: url)
                let file = try ProcessFile(reserving: url.path) { $0 == Data("remnant".utf8) }
                #expect(!FileManager.default.fileExists(atPath: url.path))
                file.remove()
            }
        }
    }

    @Test(arguments: ["file", "folder", "link", "pipe"])
    func `anything else at the path is refused and stays as it is`(_ kind: String) async throws {
        try await TemporaryFolder.with { folder in
            let (path, other) = (folder.file("ready").path, folder.file("other"))
            try Data("other".utf8).write(to: other)
            switch kind {
            case "file": try FileManager.default.copyItem(atPath: other.path, toPath: path)
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other.path)
            default: #expect(mkfifo(path, 0o600) == 0)
            }
            #expect(throws: ProcessFile.Failure.unrelated) { try ProcessFile(reserving: path) { $0.isEmpty } }
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path)) == ["ready", "other"])
            #expect(try Data(contentsOf: other) == Data("other".utf8))
        }
    }

    @Test func `a file that another program put in the place of the published one is not removed`() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder.file("ready")
            let file = try ProcessFile(reserving: url.path) { _ in false }
            try file.publish(Data("mine".utf8))
            try DurableFile.replace(url.path, with: Data("other".utf8))
            file.remove()
            #expect(try Data(contentsOf: url) == Data("other".utf8))
        }
    }

    @Test func `a file whose process has ended has contents and no process`() async throws {
        try await TemporaryFolder.with { folder in
            let url = folder.file("ready")
            #expect(ProcessFile.published(at: url.path) == nil)
            try Data("remnant".utf8).write(to: url)
            let published = try #require(ProcessFile.published(at: url.path))
            #expect(published.data == Data("remnant".utf8) && !published.isRunning && published.process == nil)
        }
    }

    @Test func `a path in a missing folder can't be reserved`() throws {
        #expect(throws: ProcessFile.Failure.write) { try ProcessFile(reserving: "/nowhere/ready") { _ in false } }
    }
}
