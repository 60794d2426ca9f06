public import Foundation
public import PurchaseModel

/// What the store sells, read from a `.storekit` file of Xcode.
///
/// Such a file has no type of its own for the free subscriptions that the App Store once sold: a subscription whose
/// `displayPrice` is written as zero is read as one (`ProductType.freeSubscription`), and never expires.
public struct Catalogue: Sendable {
    /// The most bytes of a file that are read.
    public static let sizeLimit = 4 << 20
    /// The most characters of a product identifier.
    public static let identifierLimit = 255

    /// The products, in the order of the file.
    public let products: [StoreProduct]
    /// The country's store that every account buys in.
    public let storefront: Storefront
    /// Whether a subscription goes on for a while when its renewal cannot be charged; a file that says nothing means yes.
    public let grantsGrace: Bool

    private let productsByID: [ProductID: StoreProduct]

    /// Reads a `.storekit` file of versions 1 to 5; unknown keys are ignored, missing ones mean their defaults.
    ///
    /// - Throws: ``CatalogueError`` with the place in the file.
    public init(storekit data: Data) throws(CatalogueError) {
        guard data.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
        let file: StorekitFile
        do {
            file = try JSONDecoder().decode(StorekitFile.self, from: data)
        } catch let error as DecodingError {
            throw CatalogueError(error)
        } catch {
            throw .notJSON
        }
        if let major = file.version?.major, !(1...5).contains(major) {
            throw .unsupportedVersion(major)
        }
        let reader = try StorekitReader(settings: file.settings)
        let products = try reader.products(of: file)
        var productsByID: [ProductID: StoreProduct] = [:]
        for product in products where productsByID.updateValue(product, forKey: product.id) != nil {
            throw .duplicate(productID: product.id.rawValue)
        }
        self.products = products
        self.productsByID = productsByID
        self.storefront = reader.storefront
        self.grantsGrace = file.settings?.billingGracePeriodEnabled ?? true
    }

    /// The product with that identifier.
    public func product(_ id: ProductID) -> StoreProduct? {
        productsByID[id]
    }
}
