/// A signature of a message, parsed and not verified (RFC 9421, section 4).
struct MessageSignature: Hashable, Sendable {
    /// The covered components, with the parameters of the signature.
    let list: StructuredList
    /// The bytes of the signature.
    let bytes: [UInt8]

    /// Reads the signatures of a message that have a tag; nil for those without a tag.
    ///
    /// - Throws: ``MessageSignatureError/missingField(_:)`` or ``MessageSignatureError/malformedField(_:_:)``;
    ///   ``MessageSignatureError/noSignature`` when a member of `Signature-Input` has no counterpart in `Signature` (section 4.2).
    static func read(_ fields: HTTPMessageFields, tag: String?) throws(MessageSignatureError) -> [MessageSignature] {
        let inputs = try dictionary(SignatureField.input, fields)
        let signatures = try dictionary(SignatureField.signature, fields)
        var read: [MessageSignature] = []
        for input in inputs.members {
            guard case .list(let list) = input.value, list.parameter("tag") == tag.map({ .string($0) }) else { continue }
            guard case .item(let item) = signatures[input.key], case .bytes(let bytes) = item.value else { throw .noSignature }
            read.append(MessageSignature(list: list, bytes: bytes))
        }
        return read
    }

    private static func dictionary(_ name: String, _ fields: HTTPMessageFields) throws(MessageSignatureError) -> StructuredDictionary {
        guard let value = fields[name] else { throw .missingField(name) }
        do { return try StructuredFieldParser.dictionary(value) } catch { throw .malformedField(name, error) }
    }

    /// Verifies that a key signed the covered components of a response and of its request (RFC 9421, section 3.2).
    ///
    /// - Parameters:
    ///   - components: The components of ``list``.
    ///   - response: The response.
    ///   - request: The request to which it responds.
    ///   - key: The key that the signature names.
    /// - Throws: ``MessageSignatureError/signature``, or an error of ``SignatureBase``.
    func verify(
        _ components: [SignatureComponent], _ response: HTTPResponseMessage, to request: HTTPRequestMessage, with key: P256VerificationKey
    ) throws(MessageSignatureError) {
        let base = try SignatureBase.text(of: components, list: list.serialized, response, to: request)
        guard key.isSigned(Array(base.utf8), bytes) else { throw .signature }
    }
}
