import PurchaseModel
import PurchaseProof

extension SignedDataError {
    /// What is wrong with the signed data, for the developer of whoever sent it.
    var sentence: String {
        switch self {
        case .malformed(let path): "It is not signed data of this kind; it could be read as far as \(path)."
        case .algorithm(let name): "It is signed with \(name), which is not accepted."
        case .untrusted(let reason): "Its signature is not trusted. \(reason)"
        case .foreignBundle(let bundle): "It is about another app, \(bundle)."
        case .foreignEnvironment(let environment): "It is from another environment, \(environment)."
        }
    }
}
