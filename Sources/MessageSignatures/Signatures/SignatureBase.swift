/// The text that is signed (RFC 9421, section 2.5).
enum SignatureBase {
    /// Returns the text for a list of components with the parameters of the signature.
    ///
    /// - Throws: ``MessageSignatureError/unsupportedComponent(_:)``, ``MessageSignatureError/repeatedComponent(_:)`` or
    ///   ``MessageSignatureError/unavailableComponent(_:)``.
    static func text(
        of list: StructuredList, _ response: HTTPResponseMessage, to request: HTTPRequestMessage
    ) throws(MessageSignatureError) -> String {
        var text = ""
        for component in try components(of: list) {
            // A line break in a value could add a line to the text, so that it would equal the text of another message.
            guard let value = component.value(of: response, to: request), HTTPSyntax.isFieldValue(value) else {
                throw .unavailableComponent(component)
            }
            text += "\(component): \(value)\n"
        }
        return text + "\"@signature-params\": \(list.serialized)"
    }

    /// Returns the components of a list, none of which may occur twice (RFC 9421, section 2).
    static func components(of list: StructuredList) throws(MessageSignatureError) -> [SignatureComponent] {
        var components: [SignatureComponent] = []
        for item in list.items {
            let component = try SignatureComponent(item)
            guard !components.contains(component) else { throw .repeatedComponent(component) }
            components.append(component)
        }
        return components
    }
}
