import Crypto
import X509

extension Certificate.SerialNumber {
    /// What a number is derived for, so that whoever answers about revocation knows certificates that it has never seen.
    enum Use {
        case transactionReceipts
        case tls
        case fault(SigningFault)

        fileprivate var label: String {
            switch self {
            case .transactionReceipts: "transaction receipts"
            case .tls: "TLS"
            case .fault(let fault): "fault \(fault.rawValue)"
            }
        }
    }

    /// The number that follows from another, random one: 128 bits, the first one set.
    static func derived(from other: Certificate.SerialNumber, for use: Use) -> Certificate.SerialNumber {
        var bytes = Array(SHA256.hash(data: Array(other.bytes) + Array(use.label.utf8)).prefix(16))
        bytes[0] |= 0x80
        return Certificate.SerialNumber(bytes: bytes)
    }
}
