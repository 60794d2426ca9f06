import PurchaseModel

/// An app whose products the store sells: its database row and its parsed catalog.
struct StoreApp: Sendable {
    var row: AppRecord
    var catalog: Catalog

    var bundleID: BundleID { row.bundleID }
}
