import PurchaseModel

/// An app that the store sells for, with its catalog read.
struct StoreApp: Sendable {
    var row: AppRecord
    var catalog: Catalog

    var bundleID: BundleID { row.bundleID }
}
