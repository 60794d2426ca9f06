import ContentStorage
import PurchaseModel
import PurchaseStorage
import ServerProtocol

/// An item of a product's content: one file, in one or more versions.
struct ContentItem: Hashable, Sendable {
    let name: ContentItemName
    /// The versions that customers can download, the current version first; the list is never empty.
    let versions: [ContentFile]

    /// Groups the published versions of a product, the latest publication first, into its items: `main` first, and the others by name.
    static func items(of versions: [ContentVersion], of app: BundleID) throws -> [ContentItem] {
        try Dictionary(grouping: versions, by: \.item).map { name, versions in
            ContentItem(name: name, versions: try versions.map { try ContentFile($0, of: app) })
        }.sorted { left, right in left.name == .main || (right.name != .main && left.name < right.name) }
    }

    var reply: ContentItemReply { ContentItemReply(item: name, versions: versions.map(\.reply)) }
}

/// One version of a content item, and the object with its bytes.
struct ContentFile: Hashable, Sendable {
    /// The source of the manifest's JSON.
    enum Manifest: Hashable, Sendable {
        /// The key of the object with the manifest of a published version.
        case object(ContentKey)
        /// The manifest that the server computed for a file that the catalog names.
        case computed(ContentManifest)
    }

    let item: ContentItemName
    let version: ContentVersionName
    /// The name under which an app saves the file.
    let fileName: String
    let mediaType: MediaType
    /// The length of the file in bytes.
    let length: Int64
    let sha256: ContentDigest
    /// The key of the object with the bytes of the file.
    let key: ContentKey
    let manifest: Manifest
    /// The SHA-256 of the manifest's JSON.
    let manifestDigest: ContentDigest
    let publishedAt: Timestamp

    /// The strong entity tag of the file (RFC 9110): the SHA-256 in quotation marks.
    var entityTag: String { "\"\(sha256)\"" }

    var reply: ContentVersionReply {
        ContentVersionReply(
            version: version, fileName: fileName, mediaType: mediaType.text, length: length, sha256: sha256.hexadecimal,
            manifest: manifestDigest.hexadecimal, publishedAt: publishedAt)
    }
}

extension ContentFile {
    /// Creates the description of a published version.
    init(_ record: ContentVersion, of app: BundleID) throws(ContentKeyError) {
        let objects = PublishedObjects(app: app)
        item = record.item
        version = record.version
        fileName = record.fileName
        mediaType = record.mediaType
        length = record.length
        sha256 = record.sha256
        key = try objects.key(of: record.sha256)
        manifest = .object(try objects.key(of: record.manifest))
        manifestDigest = record.manifest
        publishedAt = record.publishedAt
    }
}

/// The keys of an app's published objects; each key contains the digest of the object's bytes.
struct PublishedObjects: Sendable {
    /// The prefix of the app's object keys, without the trailing slash.
    let folder: String

    /// Creates the keys of the objects of one app.
    ///
    /// Several apps can share a storage. The keys of different apps differ, because a prune removes all objects of one app that no version
    /// of the app refers to.
    init(app: BundleID) {
        let name = app.rawValue
        let isComponent = (try? ContentKey(name)) != nil && !name.contains("/")
        folder = "apps/\(isComponent ? name : ContentDigest(of: Array(name.utf8)).hexadecimal)"
    }

    /// Returns the key of the object with a digest.
    func key(of digest: ContentDigest) throws(ContentKeyError) -> ContentKey {
        try ContentKey("\(folder)/\(ContentKey(addressing: digest))")
    }

    /// The prefix of all objects of the app.
    var prefix: ContentPrefix {
        get throws(ContentKeyError) { try ContentPrefix("\(folder)/") }
    }
}
