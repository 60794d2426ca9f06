/// The reason for which a `.storekit` file is invalid.
///
/// Paths state the place in the JSON, such as `products[3].displayPrice`.
public enum CatalogError: Error, Hashable, Sendable {
    /// The file is larger than the limit.
    case tooLarge(limit: Int)
    /// The text is not a JSON object.
    case notJSON
    /// The reader does not support the file's version.
    case unsupportedVersion(Int)
    /// A required member is missing.
    case missing(path: String)
    /// The value has a wrong JSON type.
    case wrongType(path: String)
    /// The value is invalid; `reason` is a sentence.
    case invalidValue(path: String, reason: String)
    /// Two products have the same identifier; `path` is the place of the second product.
    case duplicate(path: String, productID: String)
}

extension CatalogError {
    /// The place in the JSON; `$` for the file as a whole.
    public var path: String {
        switch self {
        case .tooLarge, .notJSON: "$"
        case .unsupportedVersion: "version.major"
        case .missing(let path), .wrongType(let path), .invalidValue(let path, _), .duplicate(let path, _): path
        }
    }
}

extension CatalogError: CustomStringConvertible {
    /// A sentence for the author of the file.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "The .storekit file is larger than \(limit) bytes."
        case .notJSON: "The .storekit file is not a JSON object."
        case .unsupportedVersion(let major): "The .storekit file has version \(major); the supported versions are 1 to 5."
        case .missing(let path): "\(path) is missing in the .storekit file."
        case .wrongType(let path): "\(path) has the wrong type in the .storekit file."
        case .invalidValue(let path, let reason): "Invalid value for \(path) in the .storekit file: \(reason)"
        case .duplicate(let path, let productID): "\(path) in the .storekit file repeats the product identifier \(productID)."
        }
    }
}
