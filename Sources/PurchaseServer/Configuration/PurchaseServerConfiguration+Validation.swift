import Foundation
import PurchaseModel
import PurchaseProof

extension PurchaseServerConfiguration {
    /// Validates the configuration before the server opens files or sends requests.
    public func validate() throws(ConfigurationError) {
        guard environment == .production || environment == .sandbox else { throw .environment(environment.rawValue) }
        // The roots would apply to sandbox data only, but a server with real customers has no use for a test store's root.
        guard environment != .production || !roots.hasFurtherRoots else { throw .rootsInProduction }
        guard !bundleID.rawValue.isEmpty else { throw .missing(key: "bundle-id") }
        try validate(verifyReceiptProductionURL, key: "verify-receipt.production-url")
        try validate(verifyReceiptSandboxURL, key: "verify-receipt.sandbox-url")
        try Self.validate(products)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: contentFolder, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw .contentFolder(path: contentFolder)
        }
    }

    private func validate(_ url: HTTPURL, key: String) throws(ConfigurationError) {
        // A local test store uses http; receipts and secrets of production require https.
        guard environment != .production || url.isSecure else { throw .addressNotSecure(key: key) }
    }

    private static func validate(_ products: [ServerProduct]) throws(ConfigurationError) {
        var seen: Set<ProductID> = []
        for product in products {
            guard seen.insert(product.id).inserted else { throw .productTwice(product.id) }
            if let credits = product.credits, !(1...1_000_000).contains(credits) { throw .credits(product.id) }
            if let file = product.file, !isPlainName(file) { throw .fileName(product.id) }
        }
    }

    /// Whether a name is a plain file name on every file system: no separator, no hidden file, no parent folder.
    private static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 255 && !name.hasPrefix(".") && !name.contains("..")
            && name.unicodeScalars.allSatisfy { $0 != "/" && $0 != "\\" && $0.value >= 0x20 && $0.value != 0x7F }
    }
}
