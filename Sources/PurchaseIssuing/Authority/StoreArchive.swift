import Crypto
import CryptoExtras
import Foundation
import FoundationExtras
import PurchaseModel
import SwiftASN1
import X509

/// The archive of a certificate authority with one root: a JSON object that contains the keys and certificates as PEM.
struct StoreArchive: Codable {
    /// The name and the version of the archive's format.
    let format: String
    let store: String
    let creationDate: Timestamp
    let ocspURL: String?
    let root: Part
    let signedDataIntermediate: Part
    let signedDataLeaf: Part
    let receiptIntermediate: Part
    let receiptLeaf: Part
    let transactionReceiptLeaf: Part

    /// A private key and its certificate, both as PEM.
    struct Part: Codable {
        let key: String
        let certificate: String
    }

    private static let format = "tillroll authority of one root, 1"

    /// Creates the archive of an authority with one root.
    ///
    /// - Throws: ``IssuingError/missingKey`` when the authority has no key for transaction receipts.
    init(_ authority: CertificateAuthority, _ keys: StoreKeys) throws {
        guard let transactionReceipts = authority.transactionReceipts else { throw IssuingError.missingKey }
        func part(_ key: String, _ certificate: Certificate) throws -> Part {
            Part(key: key, certificate: try certificate.serializeAsPEM().pemString)
        }
        format = Self.format
        store = keys.name
        creationDate = keys.creationDate
        ocspURL = keys.ocspURL
        root = try part(keys.root.pemRepresentation, authority.signedDataChain.root)
        signedDataIntermediate = try part(keys.signedDataIntermediate.pemRepresentation, authority.signedDataChain.intermediate)
        signedDataLeaf = try part(authority.signedDataKey.pemRepresentation, authority.signedDataChain.leaf)
        receiptIntermediate = try part(keys.receipts.intermediate.pemRepresentation, authority.receiptChain.intermediate)
        receiptLeaf = try part(keys.receipts.leaf.pemRepresentation, authority.receiptChain.leaf)
        let transaction = transactionReceipts.archive
        transactionReceiptLeaf = Part(key: transaction[0], certificate: transaction[1])
    }

    /// Parses the text of an archive; nil if the text is not in the format of this type.
    init?(_ text: String) {
        guard text.hasPrefix("{"), let archive = try? WireJSON.decode(Self.self, from: Data(text.utf8)), archive.format == Self.format
        else { return nil }
        self = archive
    }

    /// The text of the archive, which is JSON.
    var encoded: String {
        get throws { String(decoding: try WireJSON.encode(self), as: UTF8.self) }
    }

    /// The authority that the archive contains.
    ///
    /// - Throws: ``IssuingError/invalidArchive`` if a key or a certificate is damaged, or if a certificate does not match its key.
    var authority: CertificateAuthority {
        get throws {
            func certificate(_ part: Part, of key: Certificate.PublicKey) throws -> Certificate {
                let certificate = try Certificate(pemEncoded: part.certificate)
                guard certificate.publicKey == key else { throw IssuingError.invalidArchive }
                return certificate
            }
            do {
                let rootKey = try P384.Signing.PrivateKey(pemRepresentation: root.key)
                let dataIntermediateKey = try P384.Signing.PrivateKey(pemRepresentation: signedDataIntermediate.key)
                let dataLeafKey = try P256.Signing.PrivateKey(pemRepresentation: signedDataLeaf.key)
                let transactionReceipts = try TransactionReceiptIdentity(
                    key: PEMDocument(pemString: transactionReceiptLeaf.key),
                    certificate: PEMDocument(pemString: transactionReceiptLeaf.certificate)
                )
                let receiptKeys = ReceiptKeys(
                    intermediate: try _RSA.Signing.PrivateKey(pemRepresentation: receiptIntermediate.key),
                    leaf: try _RSA.Signing.PrivateKey(pemRepresentation: receiptLeaf.key),
                    transactionReceiptLeaf: transactionReceipts.key
                )
                let root = try certificate(root, of: .init(rootKey.publicKey))
                return CertificateAuthority(
                    StoreKeys(
                        name: store, creationDate: creationDate, ocspURL: ocspURL, root: rootKey,
                        signedDataIntermediate: dataIntermediateKey, receipts: receiptKeys
                    ),
                    signedDataKey: dataLeafKey,
                    signedData: SigningChain(
                        leaf: try certificate(signedDataLeaf, of: .init(dataLeafKey.publicKey)),
                        intermediate: try certificate(signedDataIntermediate, of: .init(dataIntermediateKey.publicKey)), root: root
                    ),
                    receipts: SigningChain(
                        leaf: try certificate(receiptLeaf, of: .init(receiptKeys.leaf.publicKey)),
                        intermediate: try certificate(receiptIntermediate, of: .init(receiptKeys.intermediate.publicKey)), root: root
                    ),
                    transactionReceipts: transactionReceipts
                )
            } catch {
                throw IssuingError.invalidArchive
            }
        }
    }
}
