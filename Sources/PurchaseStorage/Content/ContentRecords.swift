public import ContentStorage
public import PurchaseModel

/// A published version of a content item: one file of a product's content.
public struct ContentVersion: Hashable, Sendable {
    /// The product whose content includes the item.
    public let product: ProductID
    /// The name of the item.
    public let item: ContentItemName
    /// The name of the version.
    public let version: ContentVersionName
    /// The name under which an app saves the file.
    public let fileName: String
    /// The media type of the file.
    public let mediaType: MediaType
    /// The length of the file in bytes.
    public let length: Int64
    /// The SHA-256 of the file.
    public let sha256: ContentDigest
    /// The SHA-256 of the manifest's JSON.
    public let manifest: ContentDigest
    /// The date of the publication.
    public let publishedAt: Timestamp

    /// Creates a record.
    public init(
        product: ProductID, item: ContentItemName, version: ContentVersionName, fileName: String, mediaType: MediaType, length: Int64,
        sha256: ContentDigest, manifest: ContentDigest, publishedAt: Timestamp
    ) {
        self.product = product
        self.item = item
        self.version = version
        self.fileName = fileName
        self.mediaType = mediaType
        self.length = length
        self.sha256 = sha256
        self.manifest = manifest
        self.publishedAt = publishedAt
    }
}

/// Reads and writes an app's published content and the dates of the download tokens within one database transaction.
public protocol ContentRecords {
    /// Returns the published versions of a product, the latest publication first.
    func contentVersions(of product: ProductID) throws -> [ContentVersion]

    /// Returns all published versions, ordered by product and then as in ``contentVersions(of:)``.
    func contentVersions() throws -> [ContentVersion]

    /// Inserts a version as the latest publication of its product.
    ///
    /// The method throws an error if the same version of the item exists.
    func insert(_ version: ContentVersion) throws

    /// Removes a version, and returns whether it existed.
    func removeContentVersion(_ version: ContentVersionName, of item: ContentItemName, in product: ProductID) throws -> Bool

    /// Returns the dates later than `date` at which the server issued download tokens to a customer for a purchase, earliest first.
    func downloadTokenDates(of customer: CustomerID, for purchase: TransactionID, after date: Timestamp) throws -> [Timestamp]

    /// Inserts the identifier of a download token and the date when the token was issued.
    func insertDownloadToken(_ id: String, of customer: CustomerID, for purchase: TransactionID, issuedAt: Timestamp) throws

    /// Removes all customers' download tokens that were issued at or before a date.
    func removeDownloadTokens(issuedUntil date: Timestamp) throws
}
