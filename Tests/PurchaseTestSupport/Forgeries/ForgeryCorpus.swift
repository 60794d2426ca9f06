package import Foundation

/// The corpus of forgeries in `Tests/Forgeries`, which other projects may use, too.
package struct ForgeryCorpus: Sendable {
    /// The folder of the corpus in this repository.
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Forgeries").standardized

    /// The manifest of the corpus.
    package let manifest: ForgeryManifest

    /// Reads the manifest.
    package init() throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "manifest.json"))
        manifest = try JSONDecoder().decode(ForgeryManifest.self, from: data)
    }

    /// Creates a corpus of the same files with another manifest.
    package init(_ manifest: ForgeryManifest) {
        self.manifest = manifest
    }

    /// The bytes of a file of the corpus.
    package func bytes(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Self.folder.appending(path: file)))
    }

    /// The cases, for parameterized tests; empty if the corpus can't be read, which another test reports.
    package static let cases = (try? ForgeryCorpus())?.manifest.cases ?? []
}
