// The interface of a storage contains digests, media types and manifests. `PurchaseKit` reads manifests without a storage.
@_exported public import ContentManifest
