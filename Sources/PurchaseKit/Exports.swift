// The kit's public API uses these types of other modules, so an app imports `PurchaseKit` only. Whole modules are not exported, because
// some names of the modules, such as `Storefront`, are also names of StoreKit.
@_exported public import struct MessageSignatures.LeaseVerifier
@_exported public import struct MessageSignatures.VerificationKeySet
@_exported public import enum PurchaseModel.AppEnvironment
@_exported public import struct PurchaseModel.BillingPeriod
@_exported public import struct PurchaseModel.BundleID
@_exported public import struct PurchaseModel.CurrencyID
@_exported public import struct PurchaseModel.CustomerID
@_exported public import struct PurchaseModel.EntitlementName
@_exported public import struct PurchaseModel.HTTPURL
@_exported public import struct PurchaseModel.ProductID
@_exported public import struct PurchaseModel.SystemWallClock
@_exported public import struct PurchaseModel.Timestamp
@_exported public import struct PurchaseModel.TransactionID
@_exported public import protocol PurchaseModel.WallClock
@_exported public import struct PurchaseProof.SignedDataVerifier
@_exported public import struct PurchaseProof.TrustedRoots
