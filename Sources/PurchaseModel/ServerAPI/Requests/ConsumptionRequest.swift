public import Foundation

/// A request that sends information about the consumption of a purchase, after the customer requested a refund.
public struct ConsumptionRequest: Codable, Hashable, Sendable {
    /// The delivery status of the purchase.
    public enum DeliveryStatus: String, Codable, Hashable, Sendable, CaseIterable {
        /// The purchase was delivered and works properly.
        case delivered = "DELIVERED"
        /// The purchase was not delivered because of a quality issue.
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        /// The customer received the wrong item.
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        /// The purchase was not delivered because of a server outage.
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        /// The purchase was not delivered for another reason.
        case other = "UNDELIVERED_OTHER"
    }

    /// The developer's preferred outcome of the refund request.
    public enum RefundPreference: String, Codable, Hashable, Sendable, CaseIterable {
        /// The developer prefers to decline the refund.
        case decline = "DECLINE"
        /// The developer prefers to refund the full price.
        case grantFull = "GRANT_FULL"
        /// The developer prefers to refund the price of the unconsumed part.
        case grantProrated = "GRANT_PRORATED"
    }

    /// 100 percent, in thousandths of a percent, the unit of ``consumptionPercentage``.
    public static let fullPercentage: Int32 = 100_000

    /// Whether the customer consented to sharing consumption data; must be true.
    public var customerConsented: Bool
    /// The delivery status of the purchase.
    public var deliveryStatus: DeliveryStatus
    /// Whether a free sample or trial was available before the purchase.
    public var sampleContentProvided: Bool
    /// The consumed part of the purchase, in thousandths of a percent; nil for an auto-renewable subscription, 0 if not delivered.
    public var consumptionPercentage: Int32?
    /// The developer's preferred outcome of the refund request.
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

    /// Parses a request body about a purchase of a product of the given type.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when the body is not a JSON object, or else the error of the first invalid field.
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
        guard let percentage = Int32(exactly: percentage), (0...Self.fullPercentage).contains(percentage) else {
            throw .consumptionPercentageOutOfRange
        }
        guard deliveryStatus == .delivered || percentage == 0 else { throw .undeliveredConsumptionPercentageNonZero }
        // A prorated refund requires a purchase that is partly consumed.
        guard refundPreference != .grantProrated || (percentage > 0 && percentage < Self.fullPercentage) else {
            throw .consumptionPercentageOutOfRange
        }
        consumptionPercentage = percentage
    }
}
