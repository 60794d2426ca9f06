/// Something that goes wrong on purpose: what, for whom, and how often.
public struct Fault: Codable, Hashable, Sendable {
    /// What goes wrong.
    public var kind: FaultKind
    /// Only in this protocol; nil for each that the kind concerns.
    public var surface: FaultSurface?
    /// Only for calls whose path begins so, without the prefixes of store and environment.
    public var path: String?
    /// Only in this app.
    public var bundleID: BundleID?
    /// Only for this account.
    public var account: AccountID?
    /// Only with this product.
    public var productID: ProductID?
    /// How many more times; nil until it is switched off.
    public var count: Int?

    /// Creates a fault without limits.
    public init(_ kind: FaultKind, count: Int? = nil) {
        self.kind = kind
        self.count = count
    }
}
