import FoundationExtras

/// An IP address, as 16 bytes; an IPv4 address in the form of an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2).
struct IPAddress: Hashable, Sendable {
    /// The maximum length of the text in bytes.
    private static let limit = 45
    /// The first 12 bytes of an IPv4-mapped IPv6 address.
    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]

    let bytes: [UInt8]

    /// Reads an IPv4 address in four decimal parts, or an IPv6 address (RFC 4291, section 2.2) without a zone; nil for any other text.
    init?(_ text: some StringProtocol) {
        guard (2...Self.limit).contains(text.utf8.count) else { return nil }
        guard text.contains(":") else {
            guard let bytes = Self.v4(text) else { return nil }
            self.bytes = Self.mapped + bytes
            return
        }
        guard let gap = text.firstRange(of: "::") else {
            guard let bytes = Self.groups(text), bytes.count == 16 else { return nil }
            self.bytes = bytes
            return
        }
        let (start, end) = (text[..<gap.lowerBound], text[gap.upperBound...])
        guard !start.contains("."), let head = Self.groups(start), let tail = Self.groups(end), head.count + tail.count <= 14 else {
            return nil
        }
        bytes = head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Whether the address is an IPv4 address.
    var isV4: Bool { bytes.starts(with: Self.mapped) }

    /// The name under which the rate limiter counts a client: an IPv4 address, or the first half of an IPv6 address, because one client can
    /// use all 2^64 addresses with the same first half.
    var countedName: String {
        let counted = isV4 ? bytes[12...] : bytes[..<8]
        return counted.map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// The address as text: an IPv4 address with decimal numbers, or the eight groups of an IPv6 address.
    var description: String {
        if isV4 { return bytes[12...].map(String.init).joined(separator: ".") }
        return stride(from: 0, to: bytes.count, by: 2)
            .map { (index: Int) -> String in String(UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1]), radix: 16) }
            .joined(separator: ":")
    }

    /// Reads the four bytes of an IPv4 address; nil for any other text.
    private static func v4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            // Refuse a leading zero, because some programs read the number as octal.
            guard part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let byte = UInt8(part),
                String(byte) == part
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Reads the bytes of hexadecimal groups separated by colons; an IPv4 address can replace the last two groups.
    private static func groups(_ text: some StringProtocol) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let v4 = v4(part) else { return nil }
                return bytes + v4
            }
            guard (1...4).contains(part.utf8.count), Hexadecimal.isHexadecimal(part), let group = UInt16(part, radix: 16) else {
                return nil
            }
            bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
        }
        return bytes
    }
}

/// A range of IP addresses, such as `10.0.0.0/8`.
struct IPNetwork: Hashable, Sendable {
    private let address: IPAddress
    /// The number of leading bits that all addresses of the range have in common.
    private let prefix: Int

    /// Reads an address, or an address with the length of its prefix (RFC 4632, section 3.1); nil for any other text.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        self.address = address
        guard parts.count == 2 else {
            prefix = 128
            return
        }
        let isV4 = !first.contains(":")
        guard let length = UInt8(parts[1]), String(length) == parts[1], length <= (isV4 ? 32 : 128) else { return nil }
        prefix = Int(length) + (isV4 ? 96 : 0)
    }

    /// Returns whether an address is in the range.
    func contains(_ other: IPAddress) -> Bool {
        let (whole, rest) = (prefix / 8, prefix % 8)
        guard address.bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        return rest == 0 || (address.bytes[whole] ^ other.bytes[whole]) >> (8 - rest) == 0
    }
}
