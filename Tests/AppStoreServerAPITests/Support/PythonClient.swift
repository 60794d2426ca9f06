import PurchaseModel
import PurchaseProof
import PurchaseTestSupport

/// Runs a program with Apple's library for Python.
enum PythonClient {
    /// Runs a program of `Tests/Clients` with the key of ``TestClient``, and returns the lines of its output.
    static func run(_ file: String, at url: HTTPURL) async throws -> [String] {
        let description = [
            "url": url.text, "apiKey": TestClient.key.pem, "keyID": TestClient.key.id, "issuerID": TestClient.issuer,
            "bundleID": BundleID.test.rawValue,
        ]
        return try await PythonProgram.run(file, describing: description)
    }
}
