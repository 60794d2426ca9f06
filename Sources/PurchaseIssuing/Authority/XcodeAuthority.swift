import Crypto
import CryptoExtras
package import PurchaseModel
import SwiftASN1
import X509

/// The keys and self-signed certificates that sign receipts and JWS in the form of StoreKit testing in Xcode.
///
/// The certificates have the names of Xcode's certificates and new keys, so verifiers that identify Xcode's certificate by its fingerprint
/// refuse them.
package struct XcodeAuthority: Sendable {
    let receiptKey: _RSA.Signing.PrivateKey
    let receiptCertificate: Certificate
    let signedDataKey: P256.Signing.PrivateKey
    let signedDataCertificate: Certificate

    /// Generates the keys and creates the certificates.
    ///
    /// The validity of the certificates begins a year before `now`. The certificate for receipts is valid for twenty years, and the
    /// certificate for JWS for two years.
    package init(now: Timestamp) throws {
        let start = now.adding(days: -365).wholeSeconds
        receiptKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let storeKit = try DistinguishedName {
            CommonName("StoreKit")
            OrganizationName("StoreKit")
            OrganizationalUnitName("StoreKit")
            CountryName("US")
            EmailAddress("StoreKit")
        }
        receiptCertificate = try Certificate(
            version: .v3, serialNumber: 1, publicKey: .init(receiptKey.publicKey), notValidBefore: start.date,
            notValidAfter: start.adding(days: 20 * 365).date, issuer: storeKit, subject: storeKit,
            signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(digitalSignature: true, keyCertSign: true))
                Critical(try ExtendedKeyUsage([.codeSigning]))
            },
            issuerPrivateKey: .init(receiptKey)
        )
        signedDataKey = P256.Signing.PrivateKey()
        let testing = try DistinguishedName {
            CommonName("StoreKit Testing in Xcode")
            OrganizationName("StoreKit Testing in Xcode")
        }
        signedDataCertificate = try Certificate(
            version: .v3, serialNumber: 1, publicKey: .init(signedDataKey.publicKey), notValidBefore: start.date,
            notValidAfter: start.adding(days: 2 * 365).date, issuer: testing, subject: testing, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
            },
            issuerPrivateKey: .init(signedDataKey)
        )
    }

    /// The certificate of the key that signs receipts, as PEM.
    package var receiptCertificatePEM: String {
        get throws { try receiptCertificate.serializeAsPEM().pemString + "\n" }
    }

    /// The certificate of the key that signs JWS, as PEM.
    package var signedDataCertificatePEM: String {
        get throws { try signedDataCertificate.serializeAsPEM().pemString + "\n" }
    }
}
