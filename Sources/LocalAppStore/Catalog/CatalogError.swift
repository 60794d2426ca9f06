/// A reason for which a `.storekit` file is invalid.
///
/// The path of an error is its place in the file's JSON, such as `products[3].displayPrice`.
public enum CatalogError: Error, Hashable, Sendable {
    /// The file is larger than `limit` bytes.
    case tooLarge(limit: Int)
    /// The file is not a JSON object.
    case notJSON
    /// The major version of the file is less than 1.
    case unsupportedVersion(Int)
    /// A required member is missing.
    case missing(path: String)
    /// A member has a wrong JSON type, such as a number instead of a string.
    case wrongType(path: String)
    /// A member has an invalid value; `reason` is a sentence.
    case invalidValue(path: String, reason: String)
    /// Two products have the same identifier; `path` is the place of the second product's identifier.
    case duplicate(path: String, productID: String)
}

extension CatalogError {
    /// The place of the error in the file's JSON; `$` for the file as a whole.
    public var path: String {
        switch self {
        case .tooLarge, .notJSON: "$"
        case .unsupportedVersion: "version.major"
        case .missing(let path), .wrongType(let path), .invalidValue(let path, _), .duplicate(let path, _): path
        }
    }
}

extension CatalogError: CustomStringConvertible {
    /// A sentence that describes the error for the author of the file.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "The .storekit file is larger than \(limit) bytes."
        case .notJSON: "The .storekit file is not a JSON object."
        case .unsupportedVersion(let major): "The .storekit file has version \(major); the first version is 1."
        case .missing(let path): "The member \(path) is missing in the .storekit file; add it."
        case .wrongType(let path): "The member \(path) of the .storekit file has the wrong JSON type."
        case .invalidValue(let path, let reason): "Invalid value for \(path) in the .storekit file: \(reason)"
        case .duplicate(let path, let productID):
            "The identifier \(productID) at \(path) in the .storekit file is already used by another product."
        }
    }
}
