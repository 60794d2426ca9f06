import PurchaseModel
import PurchaseProof

extension ReceiptError {
    /// What is wrong with the receipt, for the app's developer.
    var sentence: String {
        switch self {
        case .malformed(let path): "It is not a receipt; it could be read as far as \(path)."
        case .untrusted(let reason): "Its signature is not trusted. \(reason)"
        case .foreignBundle(let bundle): "It was issued for another app, \(bundle)."
        case .foreignEnvironment(let environment): "It is from another environment, \(environment.rawValue)."
        case .foreignDevice: "It was issued for another device."
        case .expired(let date): "Its validity ended \(date)."
        }
    }
}
