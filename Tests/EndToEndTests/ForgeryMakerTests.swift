import Foundation
import ProcessTestSupport
import PurchaseTestSupport
import Testing

/// Tests of the program that creates the public corpus in `Tests/Forgeries`.
@Suite struct ForgeryMakerTests {
    /// The description of each case, without the serial numbers of certificates, which are random.
    private static func descriptions(in folder: URL) throws -> [String] {
        let data = try Data(contentsOf: folder.appending(path: "manifest.json"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try JSONDecoder().decode(ForgeryManifest.self, from: data).cases.map { item in
            var item = item
            for index in (item.verify.revocation?.answers ?? []).indices { item.verify.revocation?.answers[index].serial = "" }
            return String(decoding: try encoder.encode(item), as: UTF8.self)
        }
    }

    @Test func `the corpus matches the output of ForgeryMaker`() async throws {
        try await TemporaryFolder.with { folder in
            let process = try LineProcess(BuiltProducts.path("ForgeryMaker"), [folder.url.path])
            #expect(await process.end() == 0)
            let made = try Self.descriptions(in: folder.url)
            let kept = try Self.descriptions(in: ForgeryCorpus.folder)
            #expect(made.count == kept.count)
            for (made, kept) in zip(made, kept) { #expect(made == kept, "Run scripts/forgeries.") }
        }
    }
}
