/// A source of the bytes that make each receipt unique.
package struct RandomBytes: Sendable {
    private let make: @Sendable (Int) -> [UInt8]

    /// Creates a source from a function that returns the requested number of bytes.
    package init(_ make: @escaping @Sendable (Int) -> [UInt8]) {
        self.make = make
    }

    /// The system's random number generator.
    package static let system = RandomBytes { count in
        (0..<count).map { _ in UInt8.random(in: 0...255) }
    }

    func callAsFunction(_ count: Int) -> [UInt8] {
        make(count)
    }
}
