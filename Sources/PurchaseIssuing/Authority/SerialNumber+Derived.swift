import Crypto
import X509

extension Certificate.SerialNumber {
    /// The purpose of a certificate whose serial number is derived from that of another certificate.
    ///
    /// An ``OCSPResponder`` computes the same serial numbers, so it recognizes such certificates without a record of them.
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

    /// Returns a serial number of 128 bits that is derived from the serial number of another certificate.
    ///
    /// The number is a hash of the other number and of the purpose, with the first bit set.
    ///
    /// - Parameters:
    ///   - other: The serial number of the other certificate, which is random.
    ///   - use: The purpose of the certificate that gets the derived number.
    static func derived(from other: Certificate.SerialNumber, for use: Use) -> Certificate.SerialNumber {
        var bytes = Array(SHA256.hash(data: Array(other.bytes) + Array(use.label.utf8)).prefix(16))
        bytes[0] |= 0x80
        return Certificate.SerialNumber(bytes: bytes)
    }
}
