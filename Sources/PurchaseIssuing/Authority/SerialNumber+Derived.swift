import Crypto
import X509

extension Certificate.SerialNumber {
    /// The purpose of a derived number, by which an OCSP responder recognizes certificates that it has never received.
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

    /// The serial number that is derived from another, random one: 128 bits, the first one set.
    static func derived(from other: Certificate.SerialNumber, for use: Use) -> Certificate.SerialNumber {
        var bytes = Array(SHA256.hash(data: Array(other.bytes) + Array(use.label.utf8)).prefix(16))
        bytes[0] |= 0x80
        return Certificate.SerialNumber(bytes: bytes)
    }
}
