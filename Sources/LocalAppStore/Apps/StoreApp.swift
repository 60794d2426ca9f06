import PurchaseModel

/// An app that the store sells for, with its catalogue read.
struct StoreApp: Sendable {
    var row: AppRow
    var catalogue: Catalogue

    var bundleID: BundleID { row.bundleID }
}
