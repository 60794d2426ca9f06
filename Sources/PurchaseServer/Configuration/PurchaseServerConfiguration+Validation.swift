import ContentStorage
import PurchaseModel
import PurchaseProof
import PurchaseStorage

extension PurchaseServerConfiguration {
    /// Validates the values of the configuration, and checks that the content folder exists.
    ///
    /// - Throws: ``ConfigurationError`` for the first invalid value.
    public func validate() throws(ConfigurationError) {
        guard environment == .production || environment == .sandbox else { throw .environment(environment.rawValue) }
        // Refuse additional roots in production, because a production server needs no root of a local store.
        guard environment != .production || !roots.hasFurtherRoots else { throw .rootsInProduction }
        if case .postgres = database, secretKeyFile == nil { throw .secretKeyFileMissing }
        // A shorter token could be guessed.
        let isToken = metricsToken.map { $0.utf8.count >= 16 && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
        guard isToken ?? true else { throw .metricsToken }
        var seen: Set<BundleID> = []
        for app in apps {
            guard !app.bundleID.rawValue.isEmpty else { throw .missing(key: "bundle-id") }
            guard seen.insert(app.bundleID).inserted else { throw .appTwice(app.bundleID) }
            try validate(app)
        }
    }

    private func validate(_ app: AppConfiguration) throws(ConfigurationError) {
        try validate(VerifyReceiptClient.base(of: app.verifyReceiptProductionURL), key: "verify-receipt.production-url")
        try validate(VerifyReceiptClient.base(of: app.verifyReceiptSandboxURL), key: "verify-receipt.sandbox-url")
        if let url = app.appStoreServerAPI?.baseURL { try validate(url, key: "app-store-server-api.url") }
        guard app.transactionConfirmation != .hard || app.appStoreServerAPI != nil else { throw .confirmationWithoutKey(app.bundleID) }
        try Self.validate(app.products)
        try app.content.validate(in: environment)
    }

    private func validate(_ url: HTTPURL, key: String) throws(ConfigurationError) {
        // Require https in production to protect receipts and the shared secret; a local store uses http.
        guard environment != .production || url.isSecure else { throw .addressNotSecure(key: key) }
        guard !url.isApple || url.hasNoPath else {
            throw .wrongAddress(key: key, url: url.text, answer: "Apple's App Store has no such path")
        }
    }

    static func validate(_ products: [ServerProduct]) throws(ConfigurationError) {
        var seen: Set<ProductID> = []
        for product in products {
            guard seen.insert(product.id).inserted else { throw .productTwice(product.id) }
            if let credits = product.credits, !(1...1_000_000).contains(credits) { throw .credits(product.id) }
            if let file = product.file, !isPlainName(file) { throw .fileName(product.id) }
            let names = product.entitlements ?? []
            guard names.count <= 50,
                names.allSatisfy({ (1...200).contains($0.rawValue.utf8.count) && IdentifierText.isValid($0.rawValue) }),
                !product.id.rawValue.isEmpty,
                (1...100).contains(product.currency?.rawValue.utf8.count ?? 1), (product.localizations ?? [:]).count <= 200
            else { throw .productsMalformed(place: "product \(product.id)") }
        }
    }

    /// Returns whether a name is a key of the content storage without slashes, and a plain file name on every file system.
    private static func isPlainName(_ name: String) -> Bool {
        (try? ContentKey(name)) != nil && !name.contains("/") && !name.contains("..")
    }
}
