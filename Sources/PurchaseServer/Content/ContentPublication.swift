public import ContentStorage
public import PurchaseModel
public import PurchaseStorage

/// The product, the item and the version under which a file is published.
public struct ContentPublication: Hashable, Sendable {
    /// The product, which the catalog must contain.
    public var product: ProductID
    /// The name of the item to which the publication adds a version.
    public var item: ContentItemName
    /// The name of the version; nil for the current version if the current version has the same file, and otherwise for the next number.
    public var version: ContentVersionName?
    /// The name under which an app saves the file; nil for the name of the published file.
    public var fileName: String?
    /// The media type; nil for the type that the file name's extension indicates.
    public var mediaType: MediaType?

    /// Creates a publication of a version of an item, by default `main`.
    public init(
        product: ProductID, item: ContentItemName = .main, version: ContentVersionName? = nil, fileName: String? = nil,
        mediaType: MediaType? = nil
    ) {
        self.product = product
        self.item = item
        self.version = version
        self.fileName = fileName
        self.mediaType = mediaType
    }
}

/// The reason why content can't be published or removed.
public enum ContentPublicationError: Error, Hashable, Sendable {
    /// The catalog does not contain the product; `nearest` is the most similar product of the catalog.
    case unknownProduct(ProductID, nearest: ProductID?)
    /// The name of the item is empty, longer than 200 bytes, or contains a control character.
    case itemName
    /// The name of the version is empty, longer than 200 bytes, or contains a control character.
    case versionName
    /// The version exists with another file, another file name or another media type.
    case versionExists(ContentVersion)
    /// The product has no published version with the given names.
    case notFound(ProductID)
    /// Another command removed the bytes of the file during the publication.
    case pruned
    /// The prune removed the bytes of versions that were published during the prune.
    case prunedVersions([ContentVersion])
    /// The bundle identifier of the app is too long for the keys of the app's objects.
    case app
}

extension ContentPublicationError: CustomStringConvertible {
    /// The reason for the failure, and the next step.
    public var description: String {
        switch self {
        case .unknownProduct(let product, let nearest?):
            "The catalog has no product \(product). The most similar product is \(nearest)."
        case .unknownProduct(let product, nil):
            "The catalog has no product \(product). Add the product to the products file first."
        case .itemName: "The name of the item is invalid. Use 1 to 200 bytes without control characters."
        case .versionName: "The name of the version is invalid. Use 1 to 200 bytes without control characters."
        case .versionExists(let version):
            "The version \(version.version) of \(version.item) is published with the file \(version.fileName) (\(version.mediaType.text), "
                + "SHA-256 \(version.sha256)). Choose another version, or remove this version first."
        case .notFound(let product):
            "\(product) has no such published version. List the versions with: tillroll-server content list"
        case .pruned: "Another command removed the bytes while the version was published. Publish the version again."
        case .prunedVersions(let versions):
            "The bytes of versions that were published meanwhile were removed: "
                + versions.map { "\($0.product) \($0.item) \($0.version)" }.joined(separator: ", ") + ". Publish these versions again."
        case .app: "The bundle identifier of the app is too long for the keys of the content storage."
        }
    }
}

/// The objects and the interrupted uploads that a prune removes.
public struct ContentPruning: Hashable, Sendable {
    /// The objects that no version refers to.
    public var objects: [StoredContent] = []
    /// The number of removed interrupted uploads; nil for a dry run, which counts no uploads.
    public var uploads: Int?
}
