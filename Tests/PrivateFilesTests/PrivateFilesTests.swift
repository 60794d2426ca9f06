import Foundation
import PrivateFiles
import PurchaseTestSupport
import Testing

@Suite struct PrivateFilesTests {
    private static func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test func `a folder is created with its parents, and an existing folder keeps its permissions`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        for end in ["", "/"] {
            try PrivateFiles.createFolder(folder.url.path + "/a/b/c" + end)
            #expect(try ["a", "a/b", "a/b/c"].map { try Self.mode(folder.url.appending(path: $0)) } == [0o700, 0o700, 0o700])
        }
        #expect(try Self.mode(folder.url) == 0o755)
    }

    @Test(arguments: ["", "file", "file/folder", "/proc/nowhere/deep"])
    func `a folder that can't be created is an error with its path`(_ name: String) throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.file("file"))
        let path = name.isEmpty || name.hasPrefix("/") ? name : folder.file(name).path
        let error = #expect(throws: PrivateFileError.self) { try PrivateFiles.createFolder(path) }
        #expect(path.hasPrefix(error?.path ?? "/none") && error?.description.contains(": ") == true)
    }

    @Test func `a folder is removed while files in it vanish`() async throws {
        let folder = try TemporaryFolder()
        for round in 1...10 {
            let path = folder.file("\(round)").path
            try PrivateFiles.createFolder(path)
            let files = (1...300).map { "\(path)/\($0)" }
            for file in files { try PrivateFiles.createFile(file) }
            let vanishing = Task.detached { for file in files.shuffled() { try? FileManager.default.removeItem(atPath: file) } }
            try PrivateFiles.removeFolder(path)
            await vanishing.value
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        try PrivateFiles.removeFolder(folder.file("missing").path)
    }

    @Test func `a database and its SQLite side files keep their contents and become private`() throws {
        let folder = try TemporaryFolder()
        for name in ["file", "file-wal", "file-shm", "file-journal"] {
            try Data("contents".utf8).write(to: folder.file(name))
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: folder.file(name).path)
        }
        try PrivateFiles.createDatabase(folder.file("file").path)
        for name in ["file", "file-wal", "file-shm", "file-journal"] {
            #expect(try Self.mode(folder.file(name)) == 0o600)
            #expect(try Data(contentsOf: folder.file(name)) == Data("contents".utf8))
        }
    }

    @Test func `a dangling symbolic link is not followed`() throws {
        let folder = try TemporaryFolder()
        let (link, target) = (folder.file("link").path, folder.file("target").path)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(throws: PrivateFileError.self) { try PrivateFiles.createFile(link) }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(arguments: ["file", "file-wal"]) func `a symbolic link is refused, and its target keeps its permissions`(_ name: String) throws {
        let folder = try TemporaryFolder()
        try Data("contents".utf8).write(to: folder.file("target"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.file("target").path)
        try FileManager.default.createSymbolicLink(at: folder.file(name), withDestinationURL: folder.file("target"))
        let error = #expect(throws: PrivateFileError.self) { try PrivateFiles.createDatabase(folder.file("file").path) }
        #expect(error?.path == folder.file(name).path)
        #expect(try Self.mode(folder.file("target")) == 0o644)
    }
}
