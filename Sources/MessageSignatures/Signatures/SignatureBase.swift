/// The text that is signed (RFC 9421, section 2.5).
enum SignatureBase {
    /// Returns the text for the covered components.
    ///
    /// - Parameters:
    ///   - components: The components, in the order of the signature's list.
    ///   - list: The components and the parameters of the signature, as the member of `Signature-Input` states them.
    ///   - response: The response that has the components.
    ///   - request: The request that has the components with the parameter `req`.
    /// - Throws: ``MessageSignatureError/unavailableComponent(_:)``.
    static func text(
        of components: [SignatureComponent], list: String, _ response: HTTPResponseMessage, to request: HTTPRequestMessage
    ) throws(MessageSignatureError) -> String {
        var text = ""
        for component in components {
            // A line break in a value could add a line to the text, so that it would equal the text of another message.
            guard let value = component.value(of: response, to: request), HTTPSyntax.isFieldValue(value) else {
                throw .unavailableComponent(component)
            }
            text += "\(component): \(value)\n"
        }
        return text + "\"@signature-params\": \(list)"
    }
}

extension [SignatureComponent] {
    /// Reads the components of a list, and checks them.
    ///
    /// - Throws: ``MessageSignatureError/unsupportedComponent(_:)`` or ``MessageSignatureError/repeatedComponent(_:)``.
    init(_ list: StructuredList) throws(MessageSignatureError) {
        self = []
        for item in list.items { try appendCovered(SignatureComponent(item)) }
    }

    /// Checks that the components are supported, and that none of them occurs twice (RFC 9421, section 2).
    ///
    /// - Throws: ``MessageSignatureError/unsupportedComponent(_:)`` or ``MessageSignatureError/repeatedComponent(_:)``.
    func checkCovered() throws(MessageSignatureError) {
        var checked: [SignatureComponent] = []
        for component in self { try checked.appendCovered(component) }
    }

    private mutating func appendCovered(_ component: SignatureComponent) throws(MessageSignatureError) {
        guard component.isSupported else { throw .unsupportedComponent(String(component.description.prefix(100))) }
        guard !contains(component) else { throw .repeatedComponent(component) }
        append(component)
    }
}
