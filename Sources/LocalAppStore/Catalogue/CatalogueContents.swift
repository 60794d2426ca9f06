import PurchaseModel

/// What a catalogue holds, shared by all its copies.
final class CatalogueContents: Sendable {
    /// The file as it was read, unknown keys included.
    let file: JSONValue
    let style: StorekitStyle
    /// The lowest version that holds the content.
    let neededVersion: StorekitVersion
    let findings: [CatalogueFinding]
    let storefronts: [Storefront]

    let settings: CatalogueSettings
    let storefront: Storefront
    let items: [CatalogueProduct]
    let groups: [CatalogueGroup]
    let policies: CataloguePolicies
    let offerKey: CatalogueOfferKey?

    /// The products as the file's own storefront shows them.
    let products: [StoreProduct]
    let indices: [ProductID: Int]
    let groupsByID: [SubscriptionGroupID: CatalogueGroup]

    /// Reads a file.
    ///
    /// - Throws: ``CatalogueError``, the first of the file.
    static func read(_ file: JSONValue, style: StorekitStyle, storefronts: [Storefront]) throws(CatalogueError) -> CatalogueContents {
        let notes = StorekitNotes()
        var reader = StorekitReader(notes: notes, storefronts: storefronts)
        reader.read(file)
        if let error = notes.firstError { throw error }
        return CatalogueContents(reader, file: file, style: style)
    }

    /// Nothing, in the United States.
    static let empty = CatalogueContents(
        StorekitReader(notes: StorekitNotes(), storefronts: []), file: .object([]), style: StorekitStyle()
    )

    private init(_ reader: StorekitReader, file: JSONValue, style: StorekitStyle) {
        self.file = file
        self.style = style
        storefronts = reader.storefronts
        neededVersion = reader.notes.needed
        findings = reader.notes.findings
        settings = reader.settings
        storefront = reader.storefront
        items = reader.items
        groups = reader.groups
        policies = reader.policies
        offerKey = reader.offerKey
        groupsByID = Dictionary(reader.groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        indices = Dictionary(reader.items.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
        let shelf = Shelf(storefront: reader.storefront, home: reader.storefront, groups: groupsByID)
        products = reader.items.map(shelf.present)
    }
}
