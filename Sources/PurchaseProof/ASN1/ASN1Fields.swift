import SwiftASN1

/// Reads the parts of one constructed ASN.1 value in order, with errors that say which part made no sense.
///
/// Input is BER: Apple's receipts are DER, Xcode's have indefinite lengths and strings in chunks. The parser bounds the depth.
struct ASN1Fields {
    private var nodes: ASN1NodeCollection.Iterator
    private let path: String

    /// Opens a constructed node.
    init(_ node: ASN1Node, as identifier: ASN1Identifier, path: String) throws(Refusal) {
        guard node.identifier == identifier, case .constructed(let nodes) = node.content else { throw Refusal(.malformed, at: path) }
        self.nodes = nodes.makeIterator()
        self.path = path
    }

    /// Opens the constructed value that the bytes are, without bytes after it.
    init(parsing bytes: ArraySlice<UInt8>, as identifier: ASN1Identifier, path: String) throws(Refusal) {
        try self.init(Self.parse(bytes, path: path), as: identifier, path: path)
    }

    /// Reads one value that the bytes are, without bytes after it.
    static func parse(_ bytes: ArraySlice<UInt8>, path: String) throws(Refusal) -> ASN1Node {
        do { return try BER.parse(bytes) } catch { throw Refusal(.malformed, at: path) }
    }

    /// Reads an INTEGER of 64 bits.
    static func integer(_ node: ASN1Node, path: String) throws(Refusal) -> Int64 {
        do { return try Int64(derEncoded: node) } catch { throw Refusal(.malformed, at: path) }
    }

    /// The next part; nil after the last.
    mutating func nextIfAny() -> ASN1Node? {
        nodes.next()
    }

    /// The next part, whatever it is.
    mutating func next(_ name: String) throws(Refusal) -> ASN1Node {
        guard let node = nodes.next() else { throw Refusal(.malformed, at: "\(path).\(name)") }
        return node
    }

    /// The next part, opened.
    mutating func fields(_ name: String, as identifier: ASN1Identifier) throws(Refusal) -> ASN1Fields {
        try ASN1Fields(next(name), as: identifier, path: "\(path).\(name)")
    }

    /// The next part as an integer.
    mutating func integer(_ name: String) throws(Refusal) -> Int64 {
        try Self.integer(next(name), path: "\(path).\(name)")
    }

    /// The next part as an OCTET STRING, its chunks joined.
    mutating func octets(_ name: String) throws(Refusal) -> ArraySlice<UInt8> {
        let node = try next(name)
        do { return try ASN1OctetString(berEncoded: node).bytes } catch { throw Refusal(.malformed, at: "\(path).\(name)") }
    }

    /// The next part as an OBJECT IDENTIFIER.
    mutating func objectIdentifier(_ name: String) throws(Refusal) -> ASN1ObjectIdentifier {
        let node = try next(name)
        do { return try ASN1ObjectIdentifier(derEncoded: node) } catch { throw Refusal(.malformed, at: "\(path).\(name)") }
    }

    /// The next part as an AlgorithmIdentifier whose parameters are NULL or absent.
    mutating func algorithm(_ name: String) throws(Refusal) -> ASN1ObjectIdentifier {
        var fields = try fields(name, as: .sequence)
        let algorithm = try fields.objectIdentifier("algorithm")
        if let parameters = fields.nodes.next(), parameters.identifier != .null { throw Refusal(.malformed, at: "\(path).\(name).parameters") }
        try fields.end()
        return algorithm
    }

    /// Throws when a part is left.
    mutating func end() throws(Refusal) {
        guard nodes.next() == nil else { throw Refusal(.malformed, at: path) }
    }
}

extension ASN1Identifier {
    /// The tag `[number]`, as optional and explicit parts carry it.
    static func context(_ number: UInt) -> ASN1Identifier {
        ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
    }
}
