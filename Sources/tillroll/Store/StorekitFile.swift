import ArgumentParser
import Foundation
import LocalAppStore
import PurchaseModel

/// A `.storekit` file that the command line names.
struct StorekitFile {
    private let path: String
    private let data: Data

    /// Reads the file.
    ///
    /// - Throws: A usage error if the file can't be read.
    init(_ path: String) throws {
        self.path = path
        data = Data(try InputSource(path).read())
    }

    /// The file's text for an upload; the store validates the text.
    ///
    /// - Throws: Exit code 1 after a message if the file can't be used.
    func text() throws -> JSONText {
        _ = try catalog()
        return JSONText(data)
    }

    /// The file's catalog.
    ///
    /// - Throws: Exit code 1 after a message if the file can't be used.
    func catalog() throws -> Catalog {
        do { return try Catalog(storekit: data) } catch {
            StandardError.line("Error: \(path): \(TerminalText.safe("\(error.path): \(error)")) `tillroll storekit lint` says everything.")
            throw ExitCode(1)
        }
    }
}
