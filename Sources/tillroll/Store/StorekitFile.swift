import ArgumentParser
import Foundation
import LocalAppStore
import PurchaseModel

/// A `.storekit` file that somebody named.
struct StorekitFile {
    private let path: String
    private let data: Data

    /// Reads the file.
    ///
    /// - Throws: A usage error when it can't be read.
    init(_ path: String) throws {
        self.path = path
        data = Data(try InputSource(path).read())
    }

    /// The file as it is sent; the store judges it.
    ///
    /// - Throws: Exit code 1 after a sentence when it cannot be used.
    func text() throws -> JSONText {
        _ = try catalog()
        return JSONText(data)
    }

    /// What it sells.
    ///
    /// - Throws: Exit code 1 after a sentence when it cannot be used.
    func catalog() throws -> Catalog {
        do { return try Catalog(storekit: data) } catch {
            StandardError.line("Error: \(path): \(TerminalText.safe("\(error.path): \(error)")) `tillroll storekit lint` says everything.")
            throw ExitCode(1)
        }
    }
}
