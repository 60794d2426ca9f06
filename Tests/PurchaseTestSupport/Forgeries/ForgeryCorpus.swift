package import Foundation

/// The corpus of forgeries in `Tests/Forgeries`, which every project may use.
package struct ForgeryCorpus: Sendable {
    /// Where it lies in this repository.
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Forgeries").standardized

    /// Its list.
    package let manifest: ForgeryManifest

    /// Reads the list.
    package init() throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "manifest.json"))
        manifest = try JSONDecoder().decode(ForgeryManifest.self, from: data)
    }

    /// The same files with another list.
    package init(_ manifest: ForgeryManifest) {
        self.manifest = manifest
    }

    /// The bytes of one of its files.
    package func bytes(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Self.folder.appending(path: file)))
    }

    /// The cases, for tables of tests; empty when the corpus can't be read, which a test of its own says.
    package static let cases = (try? ForgeryCorpus())?.manifest.cases ?? []
}
