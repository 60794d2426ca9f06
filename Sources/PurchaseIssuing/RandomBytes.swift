/// A source of random bytes, which a test can replace to get the same receipts each time.
package struct RandomBytes: Sendable {
    private let make: @Sendable (Int) -> [UInt8]

    /// Creates a source from a function that returns as many bytes as its argument states.
    package init(_ make: @escaping @Sendable (Int) -> [UInt8]) {
        self.make = make
    }

    /// The source that uses the system's random number generator.
    package static let system = RandomBytes { count in
        (0..<count).map { _ in UInt8.random(in: 0...255) }
    }

    func callAsFunction(_ count: Int) -> [UInt8] {
        make(count)
    }
}
