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
    case unusable(path: String, reason: String)
    /// Two products have the same identifier; `path` is the place of the second product.
    case duplicate(path: String, productID: String)
}

extension CatalogError {
    /// The place in the JSON; `$` for the file as a whole.
    public var path: String {
        switch self {
        case .tooLarge, .notJSON: "$"
        case .unsupportedVersion: "version.major"
        case .missing(let path), .wrongType(let path), .unusable(let path, _), .duplicate(let path, _): path
        }
    }
}

extension CatalogError: CustomStringConvertible {
    /// A sentence for the author of the file.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "The .storekit file is longer than \(limit) bytes."
        case .notJSON: "The .storekit file is not a JSON object."
        case .unsupportedVersion(let major): "The .storekit file is of version \(major); versions 1 to 5 can be read."
        case .missing(let path): "The .storekit file lacks \(path)."
        case .wrongType(let path): "In the .storekit file, \(path) has another type than it should."
        case .unusable(let path, let reason): "In the .storekit file, \(path) cannot be used: \(reason)"
        case .duplicate(let path, let productID): "In the .storekit file, \(path) names the product \(productID), which is there already."
        }
    }
}
