/// Arithmetic whose result beyond 64 bits is the nearest 64-bit number, because a damaged database may contain any amount.
extension Int64 {
    /// Returns the sum, or the nearest 64-bit number.
    func adding(clamping other: Int64) -> Int64 { Int64(clamping: Int128(self) + Int128(other)) }

    /// Returns the difference, or the nearest 64-bit number.
    func subtracting(clamping other: Int64) -> Int64 { Int64(clamping: Int128(self) - Int128(other)) }

    /// The number with the opposite sign.
    var negated: Int64 { Int64(0).subtracting(clamping: self) }
}
