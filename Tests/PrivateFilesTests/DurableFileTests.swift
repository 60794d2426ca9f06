import Foundation
import PrivateFiles
import PurchaseTestSupport
import Testing

@Suite struct DurableFileTests {
    @Test func `a file is replaced completely, readable by its owner only, without leftover files`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("value").path
            try DurableFile.replace(path, with: Data("old and longer".utf8))
            try DurableFile.replace(path, with: Data("new".utf8))
            #expect(try Data(contentsOf: folder.file("value")) == Data("new".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["value"])
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test func `a file is created once, and a second call leaves it as it is`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("key").path()
            let results = [
                try DurableFile.create(path, with: Data("first".utf8)), try DurableFile.create(path, with: Data("second".utf8)),
            ]
            #expect(results == [true, false])
            #expect(try Data(contentsOf: folder.file("key")) == Data("first".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == ["key"])
            #expect(throws: DurableFile.Failure.write) { try DurableFile.create(folder.file("none/key").path(), with: Data()) }
        }
    }

    @Test func `a missing folder is an error`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: DurableFile.Failure.write) { try DurableFile.replace(folder.url.path + "/none/value", with: Data()) }
    }

    @Test func `concurrent replacements of one file leave one complete file`() async throws {
        try await TemporaryFolder.with { folder in
            let path = folder.file("item").path
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in UInt8(0)..<64 {
                    group.addTask { try DurableFile.replace(path, with: Data(repeating: number, count: 1_000)) }
                }
                try await group.waitForAll()
            }
            let bytes = try Data(contentsOf: folder.file("item"))
            #expect(bytes.count == 1_000 && Set(bytes).count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["item"])
        }
    }
}
