import PurchaseIssuing

/// A receipt's container as the encodings of its parts, for what ``ReceiptContainer`` can't write.
struct RawContainer {
    /// The digests, a SET.
    var digests: [UInt8]
    /// The OCTET STRING that is signed.
    var string: [UInt8]
    /// What is between `[0]` and its end.
    var certificates: [UInt8]
    /// What is between SET and its end.
    var signers: [UInt8]

    private let contentType: [UInt8]
    private let payloadType: [UInt8]

    init(_ container: ReceiptContainer) throws {
        digests = BER.element(0x31, try container.digests.flatMap { try BER.algorithm($0) })
        string = BER.element(0x04, container.payload ?? [])
        certificates = container.certificates?.flatMap { $0 } ?? []
        signers = try container.signers.flatMap { try $0.encoded }
        contentType = try BER.encoded(container.contentType)
        payloadType = try BER.encoded(container.payloadType)
    }

    /// The file.
    ///
    /// - Parameter layer: Writes the layers around digests, certificates and signers.
    func encoded(_ layer: (UInt8, [UInt8]) -> [UInt8] = BER.element) -> [UInt8] {
        let content = layer(0x30, payloadType + layer(0xA0, string))
        let signedData =
            [0x02, 0x01, 0x01] + digests + content + BER.element(0xA0, certificates) + BER.element(0x31, signers)
        return layer(0x30, contentType + layer(0xA0, layer(0x30, signedData)))
    }
}
