public import Foundation

/// What a developer tells about the use of a purchase whose money was asked back; for every kind of product.
public struct ConsumptionRequest: Codable, Hashable, Sendable {
    /// Whether the purchase arrived and works.
    public enum DeliveryStatus: String, Codable, Hashable, Sendable, CaseIterable {
        /// It does.
        case delivered = "DELIVERED"
        /// It does not work properly.
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        /// Something else was delivered.
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        /// The developer's server was down.
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        /// It was not delivered for another reason.
        case other = "UNDELIVERED_OTHER"
    }

    /// What the developer would like to happen.
    public enum RefundPreference: String, Codable, Hashable, Sendable, CaseIterable {
        /// No refund.
        case decline = "DECLINE"
        /// All of the price.
        case grantFull = "GRANT_FULL"
        /// What was not consumed.
        case grantProrated = "GRANT_PRORATED"
    }

    /// What a whole is, in thousandths of a percent.
    public static let wholePercentage: Int32 = 100_000

    /// Whether the customer agreed that this is told; must be true.
    public var customerConsented: Bool
    /// Whether the purchase arrived and works.
    public var deliveryStatus: DeliveryStatus
    /// Whether there was a free sample before.
    public var sampleContentProvided: Bool
    /// How much was consumed, in thousandths of a percent; 0 unless delivered, nil for auto-renewable subscriptions.
    public var consumptionPercentage: Int32?
    /// What the developer would like to happen.
    public var refundPreference: RefundPreference?

    /// Creates a request.
    public init(
        customerConsented: Bool, deliveryStatus: DeliveryStatus, sampleContentProvided: Bool, consumptionPercentage: Int32? = nil,
        refundPreference: RefundPreference? = nil
    ) {
        self.customerConsented = customerConsented
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
    }

    /// Reads a body about a purchase of some type.
    ///
    /// - Throws: The error of the first field that cannot be used.
    public init(json: Data, about type: ProductType) throws(ServerAPIError) {
        let fields = try ServerAPIFields(json)
        guard try fields.bool("customerConsented", or: .invalidCustomerConsented) == true else { throw .invalidCustomerConsented }
        customerConsented = true
        let delivery = try fields.string("deliveryStatus", or: .invalidDeliveryStatus)
        deliveryStatus = try fields.required(delivery.flatMap { DeliveryStatus(rawValue: $0) }, or: .invalidDeliveryStatus)
        let sample = try fields.bool("sampleContentProvided", or: .invalidSampleContentProvided)
        sampleContentProvided = try fields.required(sample, or: .invalidSampleContentProvided)
        if let preference = try fields.string("refundPreference", or: .invalidRefundPreference) {
            refundPreference = try fields.required(RefundPreference(rawValue: preference), or: .invalidRefundPreference)
        }
        guard fields.has("consumptionPercentage") else { return }
        guard type != .autoRenewable else { throw .consumptionPercentageAutoRenewableSubscription }
        let percentage = try fields.integer("consumptionPercentage", or: .consumptionPercentageOutOfRange) ?? 0
        guard let percentage = Int32(exactly: percentage), (0...Self.wholePercentage).contains(percentage) else {
            throw .consumptionPercentageOutOfRange
        }
        guard deliveryStatus == .delivered || percentage == 0 else { throw .undeliveredConsumptionPercentageNonZero }
        // A part can be paid back only of what was consumed in part.
        guard refundPreference != .grantProrated || (percentage > 0 && percentage < Self.wholePercentage) else {
            throw .consumptionPercentageOutOfRange
        }
        consumptionPercentage = percentage
    }
}
