public import PurchaseModel

extension Timestamp {
    /// The time at which tests start: 2025-01-31T12:34:56Z.
    public static let testStart = Timestamp(milliseconds: 1_738_326_896_000)
}
