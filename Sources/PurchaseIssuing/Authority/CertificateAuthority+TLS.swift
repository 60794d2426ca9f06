import Crypto
import Foundation
package import PurchaseModel
import SwiftASN1
import X509

extension CertificateAuthority {
    /// Generates a key for a TLS server, and issues its certificate with the root.
    ///
    /// The certificate is valid for 396 days, beginning a day before `now`, because some clients refuse certificates for more than 397
    /// days.
    ///
    /// - Parameters:
    ///   - hosts: The host names of the server in ASCII, such as `localhost` or `*.example.com`, and its IP addresses, such as `127.0.0.1`
    ///     or `::1`; at least one of them.
    ///   - now: The current time of the clients, which differs from the store's time if a test has advanced the store's clock.
    /// - Throws: ``IssuingError/missingKey`` for an authority with two roots, and ``IssuingError/invalidHost`` when `hosts` is empty, or
    ///   when a host is neither a host name nor an IP address.
    package func tlsIdentity(for hosts: [String], now: Timestamp) throws -> TLSIdentity {
        guard let store else { throw IssuingError.missingKey }
        guard let first = hosts.first else { throw IssuingError.invalidHost }
        let names = try hosts.map(Self.generalName)
        let key = P256.Signing.PrivateKey()
        let issuer = try store.rootIssuer
        let start = now.adding(days: -1).wholeSeconds
        let publicKey = Certificate.PublicKey(key.publicKey)
        let certificate = try store.builder(.store).certificate(
            for: publicKey,
            named: DistinguishedName {
                // A common name has at most 64 characters, and clients use the subject alternative names instead.
                CommonName(first.utf8.count > 64 ? "Tillroll Local Store" : first)
                OrganizationalUnitName(store.name)
                OrganizationName("Tillroll Local")
            },
            by: issuer.name, key: issuer.key, from: start, until: start.adding(days: 396), serialNumber: newTLSNumber()
        ) {
            Critical(BasicConstraints.notCertificateAuthority)
            Critical(KeyUsage(digitalSignature: true))
            try ExtendedKeyUsage([.serverAuth])
            SubjectAlternativeNames(names)
            SubjectKeyIdentifier(hash: publicKey)
            AuthorityKeyIdentifier(keyIdentifier: issuer.keyID.keyIdentifier)
        }
        return TLSIdentity(
            certificateChainPEM: try certificate.serializeAsPEM().pemString + "\n", privateKeyPEM: key.pemRepresentation + "\n"
        )
    }

    /// The first eight bytes of the serial numbers of TLS certificates, by which ``OCSPResponder`` recognizes certificates of this
    /// authority.
    var tlsNumberPrefix: [UInt8] {
        Array(Certificate.SerialNumber.derived(from: signedDataChain.root.serialNumber, for: .tls).bytes.prefix(8))
    }

    private func newTLSNumber() -> Certificate.SerialNumber {
        Certificate.SerialNumber(bytes: tlsNumberPrefix + RandomBytes.system(8))
    }

    private static func generalName(_ host: String) throws -> GeneralName {
        if let address = address(host, AF_INET, 4) ?? address(host, AF_INET6, 16) {
            return .ipAddress(ASN1OctetString(contentBytes: address[...]))
        }
        let isName = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "*"):
                true
            default: false
            }
        }
        guard isName, !host.isEmpty, host.utf8.count <= 253 else { throw IssuingError.invalidHost }
        return .dnsName(host)
    }

    /// Returns the bytes of an IP address from its text; nil if the text is not an address of the family.
    ///
    /// - Parameters:
    ///   - text: The address, such as `127.0.0.1`.
    ///   - family: The address family, `AF_INET` or `AF_INET6`.
    ///   - count: The number of bytes of an address in the family.
    private static func address(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        // Safe: inet_pton writes as many bytes as an address of the family has, and the array has that length.
        let isAddress = unsafe bytes.withUnsafeMutableBytes { buffer in unsafe inet_pton(family, text, buffer.baseAddress) == 1 }
        return isAddress ? bytes : nil
    }
}
