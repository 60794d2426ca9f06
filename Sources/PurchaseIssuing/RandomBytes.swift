/// A source of random bytes, which a test can replace to get the same receipts each time.
package struct RandomBytes: Sendable {
    private let make: @Sendable (Int) -> [UInt8]

    /// Creates a source from a function that returns as many bytes as its argument states.
    package init(_ make: @escaping @Sendable (Int) -> [UInt8]) {
        self.make = make
    }

    /// The source that uses the system's random number generator.
    package static let system = RandomBytes { count in
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            // Each random number is a system call, so all eight bytes of a number are used.
            let number = UInt64.random(in: .min ... .max)
            for shift in stride(from: 0, to: 64, by: 8) where bytes.count < count {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        return bytes
    }

    func callAsFunction(_ count: Int) -> [UInt8] {
        make(count)
    }
}
