extension BERReader {
    /// Reads an AlgorithmIdentifier whose parameters are NULL or absent.
    ///
    /// - Returns: Where the content of its OBJECT IDENTIFIER lies.
    mutating func algorithm(_ bytes: Span<UInt8>) throws(ReadFault) -> Range<Int> {
        let outer = try open(BERTag.sequence, bytes)
        let identifier = try primitive(BERTag.objectIdentifier, bytes)
        if !isAtEnd(bytes) {
            guard try primitive(BERTag.null, bytes).isEmpty else { throw ReadFault(.value, at: position) }
        }
        try close(outer, bytes)
        return identifier
    }
}
