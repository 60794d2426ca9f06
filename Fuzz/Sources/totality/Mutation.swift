/// A change that damages bytes.
enum Mutation {
    /// Keeps the given number of bytes from the start.
    case truncated(Int)
    /// Replaces one byte.
    case changed(Int, to: UInt8)
    /// Inserts bytes.
    case inserted([UInt8], at: Int)
    /// Repeats a range.
    case repeated(Range<Int>, times: Int)
    /// Removes a range.
    case removed(Range<Int>)

    func applied(to bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .truncated(let count):
            return Array(bytes[..<count])
        case .changed(let offset, let value):
            var changed = bytes
            changed[offset] = value
            return changed
        case .inserted(let block, let offset):
            return bytes[..<offset] + block + bytes[offset...]
        case .repeated(let range, let times):
            return bytes[..<range.upperBound] + Array(repeatElement(bytes[range], count: times).joined()) + bytes[range.upperBound...]
        case .removed(let range):
            return Array(bytes[..<range.lowerBound] + bytes[range.upperBound...])
        }
    }

    /// Calls `body` with every mutation of the bytes.
    ///
    /// The mutations are every truncation, all 255 other values of each byte in `thorough`, one random value of each other byte, and
    /// 600 inserted, repeated and removed blocks at random places.
    static func all(of bytes: [UInt8], thorough: Range<Int>, _ body: (Mutation) async throws -> Void) async rethrows {
        var random = SeededRandom(seed: UInt64(bytes.count))
        for count in bytes.indices { try await body(.truncated(count)) }
        for offset in bytes.indices {
            if thorough.contains(offset) {
                for step in UInt8(1)...255 { try await body(.changed(offset, to: bytes[offset] &+ step)) }
            } else {
                try await body(.changed(offset, to: bytes[offset] &+ .random(in: 1...255, using: &random)))
            }
        }
        guard !bytes.isEmpty else { return }
        for _ in 0..<200 {
            let offset = Int.random(in: 0...bytes.count, using: &random)
            try await body(.inserted(block(using: &random), at: offset))
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let range = start..<min(bytes.count, start + Int.random(in: 1...2048, using: &random))
            try await body(.repeated(range, times: .random(in: 1...16, using: &random)))
            try await body(.removed(range))
        }
    }

    /// Returns bytes that a parser accepts more often than random bytes.
    private static func block(using random: inout SeededRandom) -> [UInt8] {
        let count = Int.random(in: 1...1024, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return (0..<count).map { _ in .random(in: 0...255, using: &random) }
        case 1: return Array(repeating: .random(in: 0...255, using: &random), count: count)
        case 2: return Array(repeatElement([0x30, 0x80], count: count).joined())
        case 3: return [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]
        default: return Array(repeatElement(Array(#"{"a":["#.utf8), count: count).joined())
        }
    }
}

extension Mutation: CustomStringConvertible {
    var description: String {
        switch self {
        case .truncated(let count): "truncated to \(count) bytes"
        case .changed(let offset, let value): "byte \(offset) changed to \(value)"
        case .inserted(let block, let offset): "\(block.count) bytes inserted at \(offset)"
        case .repeated(let range, let times): "bytes \(range) repeated \(times) times"
        case .removed(let range): "bytes \(range) removed"
        }
    }
}
