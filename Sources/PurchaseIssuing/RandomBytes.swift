/// Where the bytes come from that make each receipt different.
package struct RandomBytes: Sendable {
    private let make: @Sendable (Int) -> [UInt8]

    /// Takes bytes from a function that returns as many as it is asked for.
    package init(_ make: @escaping @Sendable (Int) -> [UInt8]) {
        self.make = make
    }

    /// The machine's random numbers.
    package static let system = RandomBytes { count in
        (0..<count).map { _ in UInt8.random(in: 0...255) }
    }

    func callAsFunction(_ count: Int) -> [UInt8] {
        make(count)
    }
}
