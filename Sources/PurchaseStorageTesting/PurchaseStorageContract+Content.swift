import ContentStorage
import PurchaseModel
import PurchaseStorage

extension PurchaseStorageContract {
    /// The promises about published content and download tokens.
    static let contentChecks: [Check] = [
        Check(description: "published versions are listed, the latest publication first, until they are removed") { storage, _ in
            let first = version("1", of: "main", in: "book")
            let second = version("2", of: "main", in: "book", mediaType: "application/pdf")
            let extras = version("1", of: "extras", in: "book")
            let other = version("1", of: "main", in: "album")
            for version in [second, first, other, extras] { try await storage.write(app) { try $0.insert(version) } }
            let (book, all, foreign) = try await (
                storage.read(app) { try $0.contentVersions(of: "book") }, storage.read(app) { try $0.contentVersions() },
                storage.read("com.example.other") { try $0.contentVersions() }
            )
            try expect(book, equals: [extras, first, second], "the versions of a product")
            try expect(all, equals: [other, extras, first, second], "all versions, by product")
            try expect(foreign, equals: [], "the versions of another app")
            let removed = try await storage.write(app) { records in
                [
                    try records.removeContentVersion("1", of: "main", in: "book"),
                    try records.removeContentVersion("1", of: "main", in: "book"),
                ]
            }
            try expect(removed, equals: [true, false], "whether a version was removed")
            try await storage.write(app) { try $0.insert(first) }
            let rest = try await storage.read(app) { try $0.contentVersions(of: "book") }
            try expect(rest, equals: [first, extras, second], "the versions after one was published again")
        },
        Check(description: "a second version with the same names is an error, and the first one stays") { storage, _ in
            try await storage.write(app) { try $0.insert(version("1", of: "main", in: "book")) }
            do {
                try await storage.write(app) { try $0.insert(version("1", of: "main", in: "book", mediaType: "text/plain")) }
                throw ContractViolation(description: "a second version with the same names was stored")
            } catch is StorageError {}
            let versions = try await storage.read(app) { try $0.contentVersions() }
            try expect(versions, equals: [version("1", of: "main", in: "book")], "the versions")
        },
        Check(description: "the dates of download tokens are counted for a customer and a purchase, until they are removed") { storage, _ in
            @Sendable func date(_ seconds: Int64) -> Timestamp { ContractEvents.start.adding(seconds: seconds) }
            let tokens: [(String, CustomerID, TransactionID, Int64)] = [
                ("b", "jane", "1", 2), ("a", "jane", "1", 1), ("c", "jane", "1", 2), ("d", "jane", "2", 3), ("e", "joe", "1", 4),
            ]
            try await storage.write(app) { records in
                for (id, customer, purchase, seconds) in tokens {
                    try records.insertDownloadToken(id, of: customer, for: purchase, issuedAt: date(seconds))
                }
            }
            func dates(_ customer: CustomerID, _ purchase: TransactionID, after seconds: Int64, _ app: BundleID = app) async throws
                -> [Timestamp]
            {
                try await storage.read(app) { try $0.downloadTokenDates(of: customer, for: purchase, after: date(seconds)) }
            }
            try expect(try await dates("jane", "1", after: 0), equals: [date(1), date(2), date(2)], "the tokens of a purchase")
            try expect(try await dates("jane", "1", after: 1), equals: [date(2), date(2)], "the tokens after a date")
            try expect(try await dates("joe", "1", after: 0), equals: [date(4)], "the tokens of another customer")
            try expect(try await dates("jane", "1", after: 0, "com.example.other"), equals: [], "the tokens of another app")
            try await storage.write("com.example.other") { try $0.removeDownloadTokens(issuedUntil: date(9)) }
            try await storage.write(app) { try $0.removeDownloadTokens(issuedUntil: date(2)) }
            try expect(try await dates("jane", "1", after: 0), equals: [], "the removed tokens")
            try expect(try await dates("jane", "2", after: 0), equals: [date(3)], "a later token")
        },
    ]

    private static func version(
        _ version: ContentVersionName, of item: ContentItemName, in product: ProductID, mediaType: String = "text/plain; charset=utf-8"
    ) -> ContentVersion {
        let bytes = Array("\(product) \(item) \(version)".utf8)
        return ContentVersion(
            product: product, item: item, version: version, fileName: "Bücher \(version).txt",
            mediaType: (try? MediaType(mediaType)) ?? .octetStream, length: 1 << 40, sha256: ContentDigest(of: bytes),
            manifest: ContentDigest(of: bytes + [0]), publishedAt: ContractEvents.start)
    }
}
