import PurchaseModel

/// An app whose products the store sells, with its parsed catalog.
struct StoreApp: Sendable {
    var row: AppRecord
    var catalog: Catalog

    var bundleID: BundleID { row.bundleID }
}
