public import Foundation

/// Puts off the renewal of every active subscription to a product.
public struct MassExtendRenewalDateRequest: Codable, Hashable, Sendable {
    /// How many days, 1 to 90.
    public var extendByDays: Int
    /// Why.
    public var extendReasonCode: ExtendReason
    /// What the developer calls this request: a UUID.
    ///
    /// Sent again, the request does nothing twice.
    public var requestIdentifier: String
    /// The countries' stores, ISO 3166-1 alpha-3; nil for all of them.
    public var storefrontCountryCodes: [String]?
    /// The subscription.
    public var productId: ProductID

    /// Creates a request.
    public init(
        extendByDays: Int, extendReasonCode: ExtendReason, requestIdentifier: String, storefrontCountryCodes: [String]? = nil,
        productId: ProductID
    ) {
        self.extendByDays = extendByDays
        self.extendReasonCode = extendReasonCode
        self.requestIdentifier = requestIdentifier
        self.storefrontCountryCodes = storefrontCountryCodes
        self.productId = productId
    }

    /// Reads a body; whether there are such a product and such countries is not looked at.
    ///
    /// - Throws: The error of the first field that cannot be used.
    public init(json: Data) throws(ServerAPIError) {
        let fields = try ServerAPIFields(json)
        let common = try ExtendRenewalDateRequest(fields)
        extendByDays = common.extendByDays
        extendReasonCode = common.extendReasonCode
        guard IdentifierText.uuid(common.requestIdentifier) != nil else { throw .invalidRequestIdentifier }
        requestIdentifier = common.requestIdentifier
        guard let product = try fields.string("productId", or: .invalidProductId), !product.isEmpty else { throw .invalidProductId }
        productId = ProductID(product)
        storefrontCountryCodes = try fields.strings("storefrontCountryCodes", or: .invalidStorefrontCountryCode)
        if storefrontCountryCodes?.isEmpty == true { throw .invalidEmptyStorefrontCountryCodeList }
        guard storefrontCountryCodes?.allSatisfy(Self.isAlpha3) ?? true else { throw .invalidStorefrontCountryCode }
    }

    private static func isAlpha3(_ code: String) -> Bool {
        code.utf8.count == 3 && code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}
