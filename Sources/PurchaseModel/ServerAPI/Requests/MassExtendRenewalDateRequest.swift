public import Foundation

/// A request to extend the renewal dates of all active subscriptions to a product.
public struct MassExtendRenewalDateRequest: Codable, Hashable, Sendable {
    /// The number of days by which the renewal dates are extended, from 1 to 90.
    public var extendByDays: Int
    /// The reason for the extension.
    public var extendReasonCode: ExtendReason
    /// The developer's identifier of the request: a UUID.
    ///
    /// Repeating the request with the same identifier has no further effect.
    public var requestIdentifier: String
    /// The country or region codes of the storefronts (ISO 3166-1 alpha-3); nil for all storefronts.
    public var storefrontCountryCodes: [String]?
    /// The product identifier of the subscription.
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

    /// Parses a request body, without checking that the product and the storefronts exist.
    ///
    /// - Throws: ``ServerAPIError/generalBadRequest`` when the body is not a JSON object, or else the error of the first invalid field.
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
