/// The octets of an OCTET STRING.
enum BEROctets {
    /// They lie in the bytes, in one piece.
    case piece(Range<Int>)
    /// They lay in chunks, which were joined.
    case joined([UInt8])
}

extension BERReader {
    /// Reads an OCTET STRING, whose chunks may be in chunks again.
    @inline(__always)
    mutating func octets(_ bytes: Span<UInt8>) throws(ReadFault) -> BEROctets {
        if peek(bytes) == BERTag.octetString { return .piece(try primitive(BERTag.octetString, bytes)) }
        return try chunks(bytes)
    }

    private mutating func chunks(_ bytes: Span<UInt8>) throws(ReadFault) -> BEROctets {
        var octets: BEROctets?
        try join(&octets, bytes)
        return octets ?? .joined([])
    }

    /// Adds the chunks of the next value to `octets`, which stay in one piece as long as there is one chunk.
    private mutating func join(_ octets: inout BEROctets?, _ bytes: Span<UInt8>) throws(ReadFault) {
        let outer = try open(BERTag.chunkedOctetString, bytes)
        isInChunks()
        while !isAtEnd(bytes) {
            guard peek(bytes) == BERTag.octetString else {
                try join(&octets, bytes)
                continue
            }
            let chunk = try primitive(BERTag.octetString, bytes)
            switch octets {
            case nil: octets = .piece(chunk)
            case .piece(let first):
                var joined: [UInt8] = []
                for place in first { joined.append(bytes[place]) }
                for place in chunk { joined.append(bytes[place]) }
                octets = .joined(joined)
            case .joined(var joined):
                octets = nil
                for place in chunk { joined.append(bytes[place]) }
                octets = .joined(joined)
            }
        }
        try close(outer, bytes)
    }
}
