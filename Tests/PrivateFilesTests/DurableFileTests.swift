import Foundation
import PrivateFiles
import PurchaseTestSupport
import Testing

@Suite struct DurableFileTests {
    @Test func `a file is replaced as a whole, readable by its owner only, and nothing is left beside it`() async throws {
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

    @Test func `a folder that is not there is an error, and the old file stays`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: DurableFile.Failure.write) { try DurableFile.replace(folder.url.path + "/none/value", with: Data()) }
    }
}
